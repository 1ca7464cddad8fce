"""Puts numbers into the search index, which Sphinx leaves out; search.js asks for them."""

from __future__ import annotations

from typing import Any

from sphinx.search.en import SearchEnglish


class WithNumbers(SearchEnglish):
    """English, and numbers of up to four digits; longer ones are written with commas."""

    def word_filter(self, word: str) -> bool:
        """Return whether a word goes into the index."""
        return super().word_filter(word) or (word.isdigit() and len(word) <= 4)


def setup(app: Any) -> None:
    """Add the language, as Sphinx asks."""
    app.add_search_language(WithNumbers)
