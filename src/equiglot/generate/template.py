"""What a model is asked: one text per language, with the prompt put in.

A template is a text file with ``$prompt`` and, where it likes, ``$language`` (the language's English name). The query
and the answer are asked for in one call, so that both are romanised the same way (paper 3, section 3.3). A language
with a file of its own (``kn.txt``) is asked with that, any other with ``default.txt``; Kannada's is stricter, as in
the paper: no native letter and no English sentence structure.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from string import Template as Text

from langcodes import Language

from equiglot.errors import InputError

__all__ = ["Template", "load_template"]

_PLACES = {"language", "prompt"}
_FIX = "write one with $prompt where the prompt goes and, if you like, $language ($$ is a dollar sign)"


@dataclass(frozen=True, slots=True)
class Template:
    """The text that a model is asked with in one language.

    Attributes:
        name: of its file, without the suffix.
        text: with ``$prompt`` and ``$language``.
    """

    name: str
    text: str

    @property
    def identity(self) -> str:
        """Name and hash, as in a signature: ``default@1f2e3d4c``."""
        return f"{self.name}@{sha256(self.text.encode()).hexdigest()[:8]}"

    def message(self, prompt: str, language: str) -> str:
        """The whole message; what looks like a place in the prompt is left as it is.

        >>> Template("mine", "In $language: $prompt").message("costs $language 5", "hi")
        'In Hindi: costs $language 5'
        """
        return Text(self.text).substitute(prompt=prompt, language=Language.get(language).display_name())


def load_template(language: str, path: Path | None = None) -> Template:
    """The template of a language.

    Args:
        language: a BCP 47 tag without a script, e.g. ``kn``.
        path: a text file that serves every language, or a folder of such files: ``LANGUAGE.txt``, else
            ``default.txt``; None takes the templates that come with equiglot.

    Raises:
        InputError: no such file, or one without ``$prompt``.

    >>> load_template("hi").name, load_template("kn").name
    ('default', 'kn')
    """
    folder = files("equiglot.generate").joinpath("templates") if path is None else path
    if isinstance(folder, Path) and folder.is_file():
        return _checked(Template(folder.stem, _read(folder)), folder)
    for name in (language, language.partition("-")[0], "default"):
        file = folder.joinpath(f"{name}.txt")
        if file.is_file():
            return _checked(Template(name, file.read_text("utf-8") if path is None else _read(Path(str(file)))), path)
    problem = f"there is neither {language}.txt nor default.txt"
    raise InputError(problem, fix="name a template, or a folder that holds them", path=path)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"the template is not UTF-8 (byte {error.start})", fix="save it as UTF-8", path=path
        ) from error
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", fix="name a file that can be read", path=path) from error


def _checked(template: Template, path: Path | None) -> Template:
    text = Text(template.text)
    places = set(text.get_identifiers())
    if not text.is_valid() or not places <= _PLACES or "prompt" not in places:
        raise InputError(f"'{template.name}.txt' is no template", fix=_FIX, path=path)
    return template
