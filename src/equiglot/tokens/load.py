"""Load a tokeniser by its reference.

====================== ==================================================================================
reference              what is read
====================== ==================================================================================
``pkg:xlmr``           XLM-R's ``tokenizer.json`` that a package carries
``pkg:gemma3-270m``    the tokeniser inside a language model that a package carries; read from GGUF once,
                       then kept as a ``tokenizer.json`` in the cache
``hf:NAME``            ``tokenizer.json`` of the repository, else what ``AutoTokenizer`` makes of it; the hub's local
                       cache is looked into first
a folder               its ``tokenizer.json``, else its SentencePiece ``.model``, else ``AutoTokenizer``
a ``.json`` file       a ``tokenizer.json``
a ``.model`` file      a SentencePiece model
``tiktoken:ENCODING``  an encoding of tiktoken, which downloads it at its first use
====================== ==================================================================================
"""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from equiglot.errors import InputError
from equiglot.models import EMBEDDED, Embedded, cache_folder, embedded, embedded_file, hub_file, parse_reference
from equiglot.tokens._backends import HuggingFace, SentencePiece, TikToken
from equiglot.tokens.tokenizer import Tokenizer

__all__ = ["load_tokenizer"]

_WAYS = "name a folder with a tokenizer.json or a SentencePiece .model, or one of these files, or hf:NAME, pkg:xlmr"
_NAMELESS = {"tokenizer.json", "tokenizer.model", "sentencepiece.bpe.model", "spiece.model", "sp.model"}


def load_tokenizer(ref: str) -> Tokenizer:
    """The tokeniser that a reference names.

    >>> load_tokenizer("pkg:xlmr").identity
    'xlmr@0b44a9d7'

    Raises:
        InputError: nothing there, nothing that can be read as a tokeniser, or a download that failed.
    """
    reference = parse_reference(ref)
    if reference.kind == "pkg":
        return _from_package(reference.name)
    if reference.kind == "hf":
        return _from_hub(reference.name)
    if reference.kind == "tiktoken":
        return _from_tiktoken(reference.name)
    path = Path(reference.name)
    return _from_folder(path) if path.is_dir() else _from_file(path, _path_name(path))


def _path_name(path: Path) -> str:
    """A file's stem, or its folder's name where the file is called what all such files are called."""
    path = path.resolve()
    return (path.parent.name if path.name in _NAMELESS else path.stem) or path.stem


def _from_package(name: str) -> Tokenizer:
    entry = EMBEDDED.get(name)
    if entry is not None and entry.kind == "language model":
        return _from_file(_unpacked(entry), name)
    return _from_file(embedded_file(embedded(name, "tokenizer")), name)


def _unpacked(entry: Embedded) -> Path:
    """The tokeniser of an embedded GGUF model as a ``tokenizer.json``: reading it takes many seconds, so it is kept."""
    path = cache_folder("tokenizers") / f"{entry.name}-{entry.sha256[:16]}.json"
    if not path.is_file():
        source = embedded_file(entry)
        text = _auto_tokenizer(str(source.parent), f"pkg:{entry.name}", gguf_file=source.name)
        part = path.with_suffix(f".{os.getpid()}.part")  # two processes may unpack it at once
        part.write_text(text, "utf-8")
        part.replace(path)
    return path


def _from_folder(folder: Path) -> Tokenizer:
    name = folder.resolve().name
    if (path := folder / "tokenizer.json").is_file():
        return _from_file(path, name)
    if models := sorted(folder.glob("*.model")):
        if len(models) > 1:
            raise InputError(f"{len(models)} SentencePiece models in one folder", path=folder, fix="name the file")
        return _from_file(models[0], name)
    return _from_json(_auto_tokenizer(str(folder), str(folder)).encode(), name, folder)


def _from_hub(name: str) -> Tokenizer:
    shown = f"hf:{name}"
    try:
        path = hub_file(name, "tokenizer.json")
    except InputError as unreachable:
        try:  # an old repository has no such file, and what it has instead may be in the local cache
            return _from_json(_auto_tokenizer(name, shown, local_files_only=True).encode(), name, None)
        except InputError:
            raise unreachable from None
    if path is None:
        return _from_json(_auto_tokenizer(name, shown).encode(), name, None)
    return _from_json(path.read_bytes(), name, path)


def _auto_tokenizer(name: str, shown: str, **options: Any) -> str:
    """What ``AutoTokenizer`` makes of a folder or a repository, in the form of a ``tokenizer.json``."""
    try:
        import transformers
    except ImportError as error:
        raise InputError(f"'{shown}' needs transformers", fix="install equiglot[models]") from error
    try:
        loaded: Any = transformers.AutoTokenizer.from_pretrained(name, **options)
    except Exception as error:
        said = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
        raise InputError(f"no tokeniser could be had from '{shown}': {said}", fix=_WAYS) from error
    backend = getattr(loaded, "backend_tokenizer", None)
    if backend is None:
        raise InputError(f"the tokeniser of '{shown}' ({type(loaded).__name__}) has no tokenizer.json", fix=_WAYS)
    return backend.to_str()


def _from_file(path: Path, name: str) -> Tokenizer:
    if path.suffix == ".json":
        return _from_json(path.read_bytes(), name, path)
    if path.suffix == ".model":
        return _from_sentencepiece(path, name)
    raise InputError("not a tokeniser that can be read", path=path, fix=_WAYS)


def _from_json(data: bytes, name: str, path: Path | None) -> Tokenizer:
    try:
        backend = HuggingFace(data)
    except Exception as error:  # the library raises plain Exception
        raise InputError(f"not a tokenizer.json that can be read: {error}", path=path, fix=_WAYS) from error
    return Tokenizer(name, backend.vocab_size, sha256(data).hexdigest(), backend)


def _from_sentencepiece(path: Path, name: str) -> Tokenizer:
    data = path.read_bytes()
    try:
        import sentencepiece

        processor = sentencepiece.SentencePieceProcessor(model_proto=data)
    except ImportError as error:
        raise InputError("this needs sentencepiece", path=path, fix="install equiglot[models]") from error
    except Exception as error:
        raise InputError(f"not a SentencePiece model: {error}", path=path, fix=_WAYS) from error
    backend = SentencePiece(processor)
    return Tokenizer(name, backend.vocab_size, sha256(data).hexdigest(), backend)


def _from_tiktoken(name: str) -> Tokenizer:
    try:
        import tiktoken
    except ImportError as error:
        raise InputError(f"tiktoken:{name} needs tiktoken", fix="install equiglot[models]") from error
    try:
        encoding = tiktoken.get_encoding(name)
    except ValueError as error:
        names = ", ".join(tiktoken.list_encoding_names())
        raise InputError(f"tiktoken has no encoding '{name}'", fix=f"use one of {names}") from error
    except Exception as error:  # requests' errors, or a file whose hash is wrong
        raise InputError(
            f"tiktoken could not download '{name}' ({type(error).__name__})",
            fix="run it once with a network, or set TIKTOKEN_CACHE_DIR to a folder that has its file",
        ) from error
    backend = TikToken(encoding)
    return Tokenizer(name, backend.vocab_size, sha256(_tiktoken_form(encoding)).hexdigest(), backend)


def _tiktoken_form(encoding: Any) -> bytes:
    """An encoding as bytes: its tokens in tiktoken's file format, its pattern, its special tokens."""
    ranks: Mapping[bytes, int] = encoding._mergeable_ranks
    lines = [f"{base64.b64encode(t).decode()} {i}" for t, i in sorted(ranks.items(), key=lambda item: item[1])]
    special = [f"{token} {i}" for token, i in sorted(encoding._special_tokens.items())]
    return "\n".join([*lines, encoding._pat_str, *special]).encode()
