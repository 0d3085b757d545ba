"""A text encoder out of a folder of transformers: what it is made of, how much it reads, and its layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from equiglot.errors import InputError
from equiglot.models import embedded, parse_reference, require_model
from equiglot.models.fingerprint import files_sha256
from equiglot.models.gguf import converted, quiet_transformers

__all__ = ["BATCH_TOKENS", "Encoder", "batches", "find_encoder"]

BATCH_TOKENS = 16_384
"""Tokens in memory at once, padding included: what bounds it, whatever the length of the texts."""

_WEIGHTS = ("model*.safetensors", "pytorch_model*.bin")
_TOKENIZER = ("tokenizer.json", "tokenizer_config.json", "*.model", "vocab.*", "merges.txt")
_MODULES = ("modules.json", "*_bert_config.json", "config_sentence_transformers.json", "[0-9]_*/*")
_NO_LIMIT = 1_000_000
_SPECIAL_TOKENS = 8
"""More special tokens than any tokeniser adds to a text."""
_FAR = 32
"""Characters per token that is read, beyond which a text has an end that need not be tokenised."""


@dataclass(frozen=True)
class Encoder:
    """A model that reads text, loaded when it is first needed.

    Attributes:
        name: as it was referred to, or the name of its folder.
        folder: where it lies.
        sha256: of its weights, configuration and tokeniser.
    """

    name: str
    folder: Path
    sha256: str

    @property
    def identity(self) -> str:
        """Name and hash, as in a signature."""
        return f"{self.name}@{self.sha256[:8]}"

    @cached_property
    def tokenizer(self) -> Any:
        """The tokeniser; where it has no padding, its end of text is taken, which masks hide."""
        from transformers import AutoTokenizer

        with quiet_transformers():
            tokenizer: Any = self._loaded(AutoTokenizer)
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token or tokenizer.unk_token
        return tokenizer

    @cached_property
    def module(self) -> Any:
        """The model in float32, on the graphics processor where there is one; the encoder alone where it has two."""
        import torch
        from transformers import AutoModel

        with quiet_transformers():
            module, info = self._loaded(AutoModel, dtype=torch.float32, output_loading_info=True)
        missing = [key for key in info["missing_keys"] if "pooler" not in key]  # which no metric here reads
        if missing:
            raise InputError(
                f"{self.name} is not whole: {len(missing)} weights are not in its files ({missing[0]} ...)",
                fix="give all files of the model",
            )
        if hasattr(module, "encoder") and hasattr(module, "decoder"):
            module = module.encoder
        return module.eval().requires_grad_(False).to("cuda" if torch.cuda.is_available() else "cpu")

    @cached_property
    def limit(self) -> int:
        """The most tokens of a text that are read, the special ones among them."""
        places = getattr(self.module.config, "max_position_embeddings", None)
        learned = next((m for n, m in self.module.named_modules() if n.endswith("position_embeddings")), None)
        padding = getattr(learned, "padding_idx", None)
        if places is not None and padding is not None:
            places -= padding + 1  # RoBERTa counts positions from after that of the padding
        told = self.tokenizer.model_max_length
        return min(_NO_LIMIT, told, _NO_LIMIT if places is None or places <= 0 else places)

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, the special ones among them, nothing cut."""
        return [len(ids) for ids in self.tokenizer(list(texts), verbose=False)["input_ids"]] if texts else []

    def longer(self, texts: Sequence[str], limit: int) -> set[str]:
        """Those that have more tokens than that; a token has at least one byte, so most need not be tokenised."""
        may = [text for text in dict.fromkeys(texts) if len(text.encode()) > limit - _SPECIAL_TOKENS]
        lengths = self.lengths([self.beginning(text, limit) for text in may])
        return {text for text, length in zip(may, lengths, strict=True) if length > limit}

    def beginning(self, text: str, limit: int) -> str:
        """What has the first ``limit`` tokens of a text: a beginning of one that is very long, else all of it.

        A beginning will do only if it has twice as many tokens, so that where it ends can't be seen in those read.
        """
        head = text[: limit * _FAR]
        return head if len(head) < len(text) and self.lengths([head])[0] >= 2 * limit else text

    def _loaded(self, of: Any, **options: Any) -> Any:
        try:
            return of.from_pretrained(str(self.folder), local_files_only=True, **options)
        except (ValueError, OSError, ImportError, KeyError) as error:
            said = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
            raise InputError(
                f"transformers can't load {self.name}: {said}",
                fix="give a model of transformers, complete with its tokeniser",
                path=self.folder,
            ) from error


def find_encoder(reference: str) -> Encoder:
    """The encoder that ``hf:NAME``, a folder, or ``pkg:NAME`` of a language model names.

    Raises:
        InputError: there is none, it can't be had here, or its folder lacks a file.
    """
    if missing := _missing_packages():
        raise InputError(f"{reference} needs {', '.join(missing)}", fix="install equiglot[models]")
    parsed = parse_reference(reference)
    if parsed.kind == "pkg":
        entry = embedded(parsed.name, "language model")
        return Encoder(str(parsed), converted(entry), entry.sha256)
    if parsed.kind == "hf":
        return _found(str(parsed), _hub_folder(reference, parsed.name))
    folder = Path(parsed.name)
    if parsed.kind != "path" or not (folder / "config.json").is_file():
        raise InputError(
            f"'{reference}' is no folder with a model", fix="write hf:NAME, or name one with a config.json"
        )
    return _found(folder.resolve().name, folder)


def batches(lengths: list[int]) -> list[list[int]]:
    """Places of texts, longest first, so many at once that padding included they stay within the bound."""
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    made: list[list[int]] = []
    while order:
        size = max(1, BATCH_TOKENS // max(lengths[order[0]], 1))
        made.append(order[:size])
        order = order[size:]
    return made


def _missing_packages() -> list[str]:
    from importlib.util import find_spec

    return [name for name in ("torch", "transformers", "safetensors") if find_spec(name) is None]


def _found(name: str, folder: Path) -> Encoder:
    weights = next(filter(None, (sorted(folder.glob(pattern)) for pattern in _WEIGHTS)), None)
    if not weights:
        fix = "save the model with save_pretrained"
        raise InputError("the model has no weights (model.safetensors)", fix=fix, path=folder)
    more = [path for pattern in (*_TOKENIZER, *_MODULES) for path in sorted(folder.glob(pattern))]
    return Encoder(name, folder, files_sha256([*weights, folder / "config.json", *more]))


def _hub_folder(reference: str, name: str) -> Path:
    """Where the hub's local cache has the model, fetched first where it has not."""
    from huggingface_hub import snapshot_download

    def fetched(**how: Any) -> Path | None:
        folder = Path(snapshot_download(name, **how))
        return folder if any(next(folder.glob(pattern), None) for pattern in _WEIGHTS) else None

    with quiet_transformers():
        try:
            if (folder := fetched(local_files_only=True)) is not None:
                return folder
        except Exception:  # not in the cache, or not the name of a model: what follows says which
            pass
        require_model(reference)
        try:
            small = ["*.json", "*.txt", "*.model", "[0-9]_*/*"]
            found = (fetched(allow_patterns=[one, *small], ignore_patterns=["onnx/*"]) for one in _WEIGHTS)
            folder = next(filter(None, found), None)
        except Exception as error:  # the hub's client raises errors of several libraries
            said = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
            raise InputError(f"'{reference}' can't be had from the hub ({said})", fix="name a folder") from error
    if folder is None:
        raise InputError(f"'{reference}' has no weights that can be read", fix="use a model with model.safetensors")
    return folder
