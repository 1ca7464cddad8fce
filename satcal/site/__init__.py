"""The page: the files that a browser needs, and the static edition that is made of them."""
