"""Language models that a package carries as GGUF, turned once into a folder that loads in seconds.

Transformers reads a GGUF file directly, but dequantises it each time (15 to 50 s) and rebuilds a SentencePiece
vocabulary merge by merge. So it is done once: weights as float32 safetensors (float32 because a dequantised 4-bit
weight is not exact in 16 bits), configuration and ``tokenizer.json``, checked and then moved to ``weights/NAME@SHA256``
in the user's cache in one step, so that a folder of that name is always whole.

What the conversion of the tokeniser loses is put back: GGUF holds the pre-tokeniser as a name only
(``tokenizer.ggml.pre``), which transformers ignores, so that SmolLM2's rule "each digit alone" is gone and
``a  12`` is cut in another place than in training. A name that isn't known here is refused rather than guessed.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, redirect_stderr
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

from equiglot.errors import InputError
from equiglot.models.cache import cache_folder
from equiglot.models.embedded import Embedded, embedded_file

__all__ = ["converted", "quiet_transformers"]

_CONVERSION = 1
"""Goes up when a change here changes what is written, so that folders of before are left alone.

Where that changes scores too, the version of the computation in the likelihood room has to go up with it.
"""

_PROBES = (
    "The capital of France is Paris.",
    " two leading  and inner   spaces ",
    "line\n\nbreak\ttab",
    "नमस्ते दुनिया, क्षत्रिय १२३।",
    "தமிழ் மொழி வாழ்க",
    "مرحبا بالعالم، كيف الحال؟",
    "namaste duniyā, kaise ho",
    "a  12 in 2024, 1,234.5",
    "𓀀 ẑ̃ 👩‍🚀 \u200d",
)
"""Texts that must come back as they went in; one doesn't where byte fallback, spaces or normalisation are wrong."""

_KNOWN_TEXT = "The capital of France is Paris, and the capital of Germany is Berlin. The sun rises in the east."
_KNOWN_TEXT_NATS = 5.0
"""A model that knows English needs 2 to 3 nats a token; one with weights out of place ln(vocabulary), 10 or more."""


def converted(entry: Embedded, progress: Callable[[str, int, int], object] | None = None) -> Path:
    """The folder with the model that ``entry`` describes, made now if it isn't in the user's cache.

    Args:
        entry: a model that a package carries as GGUF.
        progress: told, while it is made, what is done of how many steps.

    Raises:
        InputError: the package is missing or not the one pinned, or the conversion does not pass its checks.
    """
    folder = cache_folder("weights") / f"{entry.name}@{entry.sha256[:12]}-c{_CONVERSION}"
    if folder.is_dir():
        return folder
    source = embedded_file(entry)
    # A name of its own for every process: two may convert at once, and the first to finish wins.
    made = Path(tempfile.mkdtemp(prefix=f".{entry.name}-", dir=folder.parent))
    try:
        _convert(source, made, entry, progress or (lambda what, done, total: None))
        try:
            made.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return folder


def _convert(source: Path, folder: Path, entry: Embedded, progress: Callable[[str, int, int], object]) -> None:
    missing = [name for name in ("torch", "transformers", "safetensors", "gguf", "accelerate") if not find_spec(name)]
    if missing:
        raise InputError(f"pkg:{entry.name} has to be converted once, which needs {', '.join(missing)}",
                         fix="install equiglot[embedded]")  # fmt: skip
    import torch
    from safetensors.torch import save_file
    from transformers import AutoModelForCausalLM, AutoTokenizer

    where: dict[str, Any] = {"pretrained_model_name_or_path": str(source.parent), "gguf_file": source.name}
    what = f"converting pkg:{entry.name} (once)"
    progress(what, 0, 3)
    with quiet_transformers():
        tokenizer: Any = AutoTokenizer.from_pretrained(**where)
        _mend_pre_tokenizer(tokenizer, source, entry)
        _check_tokenizer(tokenizer, entry)
        progress(what, 1, 3)
        with redirect_stderr(StringIO()):  # its progress bar can't be switched off
            model: Any = AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32).eval()
        _check_model(model, tokenizer, entry)
    progress(what, 2, 3)
    tokenizer.save_pretrained(folder)
    _keep_as_checked(folder / "tokenizer_config.json")
    # The configuration says "quantised with gguf", for which transformers' own save_pretrained refuses to work.
    config = {k: v for k, v in model.config.to_dict().items() if k != "quantization_config"}
    config["architectures"] = [type(model).__name__]
    (folder / "config.json").write_text(json.dumps(config, indent=1), "utf-8")
    tensors = {name: tensor.detach().contiguous() for name, tensor in model.named_parameters()}  # a tied one once
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    about = {"from": source.name, "sha256": entry.sha256, "package": entry.package, "licence": entry.licence}
    (folder / "equiglot.json").write_text(json.dumps(about, indent=1), "utf-8")
    progress(what, 3, 3)


def _keep_as_checked(path: Path) -> None:
    """Have tokenizer.json read as it is: a class for one family builds its own again, slowly, out of the vocabulary."""
    settings = json.loads(path.read_text("utf-8")) | {"tokenizer_class": "PreTrainedTokenizerFast"}
    path.write_text(json.dumps(settings, indent=1), "utf-8")


def _mend_pre_tokenizer(tokenizer: Any, source: Path, entry: Embedded) -> None:
    """Set the pre-tokeniser that the file names, where transformers put a general one in its place."""
    from tokenizers import pre_tokenizers

    fields = _fields(source, "tokenizer.ggml.model", "tokenizer.ggml.pre")
    if fields["tokenizer.ggml.model"] == "llama":  # SentencePiece: the vocabulary says it all.
        return
    if fields["tokenizer.ggml.pre"] != "smollm":
        raise InputError(
            f"pkg:{entry.name} has the pre-tokeniser '{fields['tokenizer.ggml.pre']}', which equiglot doesn't know",
            fix="convert the model with its own tokenizer.json and give the folder",
        )
    digits = pre_tokenizers.Digits(individual_digits=True)
    words = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, words])  # pyright: ignore[reportAttributeAccessIssue]


def _fields(source: Path, *names: str) -> dict[str, str | None]:
    from gguf import GGUFReader

    reader = GGUFReader(source)
    found = {name: reader.get_field(name) for name in names}
    return {name: None if field is None else str(field.contents()) for name, field in found.items()}


def _check_tokenizer(tokenizer: Any, entry: Embedded) -> None:
    backend = tokenizer.backend_tokenizer
    for text in _PROBES:
        ids = backend.encode(text, add_special_tokens=False).ids
        if tokenizer.unk_token_id in ids or backend.decode(ids, skip_special_tokens=False) != text:
            raise InputError(
                f"the tokeniser of pkg:{entry.name} came out wrong: {text!r} does not come back",
                fix="install the versions of transformers and tokenizers that equiglot was tested with",
            )


def _check_model(model: Any, tokenizer: Any, entry: Embedded) -> None:
    import torch

    ids = tokenizer.backend_tokenizer.encode(_KNOWN_TEXT, add_special_tokens=False).ids
    tensor = torch.tensor([[tokenizer.bos_token_id, *ids]])
    with torch.inference_mode():
        logits = model(input_ids=tensor).logits[0, :-1].float()
        nats = torch.nn.functional.cross_entropy(logits, tensor[0, 1:]).item()
    if not nats < _KNOWN_TEXT_NATS:
        raise InputError(
            f"pkg:{entry.name} came out wrong: it needs {nats:.1f} nats a token for plain English",
            fix="install the version of transformers that equiglot was tested with",
        )


@contextmanager
def quiet_transformers() -> Generator[None]:
    """Progress bars and advice of transformers switched off while a model is read, and put back as they were."""
    from transformers.utils import logging

    bars, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
