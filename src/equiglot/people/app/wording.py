"""What the pages say, in the rater's language; English where there is no translation."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import langcodes
from markupsafe import Markup, escape

from equiglot.people._yaml import Texts, read_entries

__all__ = ["Wording"]


@cache
def _words() -> dict[str, Texts]:
    found = read_entries(Path(__file__).with_name("words.yaml"), what="words")
    return {str(key): found.texts(str(key)) for key in found}


class Wording:
    """The words of a page in one language."""

    def __init__(self, language: str) -> None:
        """Words in a language, a tag such as ``hi``."""
        self.language = language

    def plain(self, key: str, **values: object) -> str:
        """A text of the pages, with its values filled in.

        >>> Wording("hi").plain("progress", done=3, count=30)
        '30 में से 3 पूरे'
        """
        texts = _words()[key]
        return texts.get(self.language, texts["en"]).format(**values)

    def of(self, texts: Texts) -> Markup:
        """A text of the rubric; marked as English where there is no translation, for screen readers and fonts."""
        if self.language in texts or self.language == "en":
            return escape(texts.get(self.language, texts["en"]))
        return Markup('<span lang="en">{}</span>').format(texts["en"])

    @staticmethod
    def name(language: str) -> str:
        """What a language calls itself.

        >>> Wording.name("hi")
        'हिन्दी'
        """
        return langcodes.Language.get(language).autonym()
