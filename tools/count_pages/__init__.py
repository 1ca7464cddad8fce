"""The pages of the counts in the documentation: ``python -m tools.count_pages FOLDER``."""
