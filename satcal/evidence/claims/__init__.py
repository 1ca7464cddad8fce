"""Claims: what others have published about the puzzles, and what is true of it."""
