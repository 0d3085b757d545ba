"""From a reference to a folder with weights, configuration and tokeniser, and the weights' hash."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from equiglot.engine import Progress
from equiglot.errors import InputError
from equiglot.models import Reference, embedded, parse_reference, require_model
from equiglot.models.fingerprint import files_sha256
from equiglot.models.gguf import converted

__all__ = ["ModelFolder", "model_folder"]

_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_TOKENIZER = (
    ("tokenizer.json",),
    ("tokenizer.model", "spiece.model", "*.spm", "vocab.json", "vocab.txt", "merges.txt", "*.tiktoken"),
)
_TOKENIZER_SETTINGS = ("tokenizer_config.json", "added_tokens.json", "special_tokens_map.json")
"""Read beside any of them; what they say may change how a text is split."""

_SMALL_FILES = ["*.json", "*.model", "*.txt", "*.jinja", "*.tiktoken", "*.spm"]


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """Where a model lies, what it is called, and what it is made of: weights with configuration, and tokeniser."""

    name: str
    folder: Path
    weights_sha256: str
    tokenizer_sha256: str
    about: str | None = None


def model_folder(reference: str, progress: Progress) -> ModelFolder:
    """The folder that a reference names; converted or downloaded first where it has to be.

    Raises:
        InputError: there is no such model, it can't be had here, or the folder lacks a file.
    """
    parsed = parse_reference(reference)
    if parsed.kind == "pkg":
        entry = embedded(parsed.name, "language model")
        folder = converted(entry, progress)
        tokenizer = files_sha256([folder / "tokenizer.json"])
        # The packaged file's own hash, so that the name of the model doesn't hang on how it was stored again.
        return ModelFolder(str(parsed), folder, entry.sha256, tokenizer, f"{entry.describes}; {entry.licence}")
    if parsed.kind == "hf":
        return _described(str(parsed), _downloaded(parsed))
    if parsed.kind == "path":
        return _described(Path(parsed.name).resolve().name, _local(parsed.name))
    raise InputError(f"'{reference}' is not a language model", fix="write hf:NAME, pkg:NAME or the path of a folder")


def _local(name: str) -> Path:
    folder = Path(name)
    if not (folder / "config.json").is_file():
        raise InputError(
            "not a folder with a model: there is no config.json in it",
            fix="give a folder that transformers' save_pretrained wrote, for the model and its tokeniser",
            path=name,
        )
    return folder


def _described(name: str, folder: Path) -> ModelFolder:
    weights = _first_found(folder, [[pattern] for pattern in _WEIGHTS])
    tokenizer = _first_found(folder, _TOKENIZER)
    for files, what in ((weights, "weights (*.safetensors)"), (tokenizer, "tokeniser (tokenizer.json)")):
        if not files:
            raise InputError(f"the model has no {what}", fix="save them into the folder", path=folder)
    tokenizer += [path for file in _TOKENIZER_SETTINGS if (path := folder / file).is_file()]
    # The configuration counts: the same weights with another rotary base or soft cap are another model.
    return ModelFolder(name, folder, files_sha256([*weights, folder / "config.json"]), files_sha256(tokenizer))


def _first_found(folder: Path, groups: Sequence[Sequence[str]]) -> list[Path]:
    """The files of the first group of patterns that finds any."""
    for patterns in groups:
        files = [path for pattern in patterns for path in folder.glob(pattern)]
        if files:
            return files
    return []


def _cached(name: str) -> Path | None:
    """The model's folder in the hub's local cache, if it lacks nothing that is read.

    Another tool may have fetched some files only; without ``tokenizer_config.json`` the texts could be read in another
    way than with it, so a model that has none is always asked of the hub.
    """
    import huggingface_hub
    from huggingface_hub.errors import HFValidationError

    try:
        config = huggingface_hub.try_to_load_from_cache(name, "config.json")
    except HFValidationError:
        return None
    if not isinstance(config, str):
        return None
    folder = Path(config).parent
    weights = _first_found(folder, [[pattern] for pattern in _WEIGHTS])
    if not weights or not _first_found(folder, _TOKENIZER):
        return None
    wanted = {"tokenizer_config.json"}
    indexes = list(folder.glob(f"*{weights[0].suffix}.index.json"))
    if not indexes and any("-of-" in file.name for file in weights):
        return None
    for index in indexes:
        wanted |= set(json.loads(index.read_text("utf-8"))["weight_map"].values())
    return folder if all((folder / file).is_file() for file in wanted) else None


def _downloaded(reference: Reference) -> Path:
    """The folder of a hub's model: out of the local cache, else fetched once the hub has said that it is there."""
    if (folder := _cached(reference.name)) is not None:
        return folder
    require_model(str(reference))
    from huggingface_hub import snapshot_download

    def fetch(*patterns: str) -> Path:
        # Only the top folder: weights in other formats (onnx/, original/) are not for us.
        wanted = [*patterns, *_SMALL_FILES]
        return Path(snapshot_download(reference.name, allow_patterns=wanted, ignore_patterns=["*/*"]))

    try:
        folder = fetch("*.safetensors")
        return folder if any(folder.glob("*.safetensors")) else fetch("pytorch_model*.bin")
    except Exception as error:
        # The hub's client raises errors of several libraries (no network, no such name, gated, a bad name).
        why = str(error).strip().splitlines()
        raise InputError(
            f"'{reference}' can't be had from the hub ({type(error).__name__}: {why[0] if why else 'no reason given'})",
            fix="check the name and the network, give the path of a folder, or use pkg:gemma3-270m, which needs no hub",
        ) from error
