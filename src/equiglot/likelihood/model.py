"""Load a causal language model with all that makes up its identity.

``pkg:gemma3-270m`` and ``pkg:smollm2-135m`` need no hub: their 4-bit weights are converted once (about a minute) and
then load in seconds. ``hf:NAME`` is fetched from the hub or found in its cache; a path names a folder that
``save_pretrained`` wrote.

A model's numbers hang on its weights (SHA-256), its tokeniser (SHA-256), the prefix, and the number format it computes
in. All four are in every signature. ``dtype="auto"`` is bfloat16 where the processor multiplies it (AVX-512 BF16, AMX,
or CUDA), else float32: bfloat16 is twice as fast, and a sentence's NLL is off by 0.3 per cent (root mean square; the
mean of a hundred by 0.04; Gemma 3 270M). In bfloat16 the matrices are, what flows between them stays float32.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from equiglot.engine import Progress, silent
from equiglot.errors import InputError
from equiglot.likelihood._body import SHORT, set_number_format
from equiglot.likelihood._check import check_model
from equiglot.likelihood._encode import Prefix, encode, find_prefix, prepare
from equiglot.likelihood._folder import model_folder
from equiglot.likelihood._head import Head, find_head
from equiglot.models.gguf import quiet_transformers

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LanguageModel", "find_device", "load_language_model"]

_DTYPES = ("bfloat16", "float32", "float16", "float64")
_CONTEXT = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length")


@dataclass(frozen=True, slots=True, eq=False)
class LanguageModel:
    """A causal language model, ready to score.

    Attributes:
        name: as it was referred to, or the name of its folder.
        weights_sha256: of the packaged file, or of the weight files and the configuration.
        tokenizer_sha256: of the tokeniser's files.
        dtype: the number format it computes in, e.g. ``"bfloat16"``.
        device: ``"cpu"``, ``"cuda"`` ...
        threads: how many threads to compute with; None leaves torch's own choice.
        context: the longest input in tokens, prefix included; None where the model sets no limit (ALiBi).
        prefix: what is put before every text, None where the tokeniser has no BOS.
        parameters: how many weights it has.
        about: what the user should know of the weights: what they are, and on which terms.
    """

    name: str
    weights_sha256: str
    tokenizer_sha256: str
    dtype: str
    device: str
    threads: int | None
    context: int | None
    prefix: Prefix | None
    parameters: int
    about: str | None
    module: Any = field(repr=False)
    head: Head = field(repr=False)
    tokenizer: Any = field(repr=False)

    @property
    def identity(self) -> str:
        """Name and weights, as in a signature: ``pkg:gemma3-270m@a5fd3b62``."""
        return f"{self.name}@{self.weights_sha256[:8]}"

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, no special tokens added, none read out of the text."""
        return encode(self.tokenizer, texts)


def load_language_model(
    reference: str,
    *,
    dtype: str = "auto",
    device: str = "auto",
    threads: int | None = None,
    progress: Progress = silent,
) -> LanguageModel:
    """Load a causal language model and check that it can be scored.

    Args:
        reference: ``pkg:NAME``, ``hf:NAME`` or the path of a folder with the model and its tokeniser.
        dtype: ``auto``, ``bfloat16``, ``float32``, ``float16`` or ``float64``.
        device: ``auto`` (CUDA where there is one, else the processor) or a name that torch knows.
        threads: threads to compute with on the processor; None leaves torch's own choice.
        progress: told of the one-off conversion of a packaged model.

    >>> model = load_language_model("pkg:smollm2-135m")  # doctest: +SKIP
    >>> model.identity  # doctest: +SKIP
    'pkg:smollm2-135m@b179c952'

    Raises:
        InputError: no such model, not a causal language model, a weight missing, or torch not installed.
    """
    _require_torch()
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    if dtype not in ("auto", *_DTYPES):
        raise InputError(f"'{dtype}' is not a number format", fix=f"use auto, {', '.join(_DTYPES)}")
    if threads is not None and threads < 1:
        raise InputError(f"{threads} threads can't compute", fix="give 1 or more")
    place = find_device(device)
    found = model_folder(reference, progress)
    kind = _auto_dtype(place) if dtype == "auto" else dtype
    where: dict[str, Any] = {"pretrained_model_name_or_path": str(found.folder), "local_files_only": True}
    with quiet_transformers():
        try:
            tokenizer: Any = AutoTokenizer.from_pretrained(**where)
            loaded: Any = AutoModelForCausalLM.from_pretrained(
                **where, dtype="auto" if kind in SHORT else getattr(torch, kind), output_loading_info=True
            )
        except Exception as error:
            # Of several libraries: a file that is cut, settings that don't fit each other, a kind that is not known.
            first = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise InputError(
                f"transformers can't load {found.name} as a causal language model: {first}",
                fix="give a causal language model, complete with its tokeniser",
                path=found.folder,
            ) from error
    module, info = loaded
    _require_all_weights(info, found.name)
    module = module.eval().requires_grad_(False)
    module = module.to(place)
    # Before the embeddings are widened: an output layer that is tied to them then stays as it lies in the file.
    parameters = sum(parameter.numel() for parameter in module.parameters())
    head = find_head(module, name=found.name, dtype=kind)
    # On the head's own memory: autocast would make another copy of a wide one, a third of a gigabyte for Gemma.
    module.get_output_embeddings().weight = torch.nn.Parameter(head.weight, requires_grad=False)
    set_number_format(module, kind)
    prepare(tokenizer)
    context = _context(module.config.get_text_config())
    try:
        check_model(module, head, name=found.name, dtype=kind, context=context)
    except InputError:
        raise
    except Exception as error:
        # Torch's, for an operation that isn't there in this format or on this device; or the model's own code's.
        raise InputError(
            f"{found.name} can't be run in {kind} on {place}: {(str(error).splitlines() or [type(error).__name__])[0]}",
            fix="use dtype float32, another device, or another model",
        ) from error
    return LanguageModel(
        name=found.name,
        weights_sha256=found.weights_sha256,
        tokenizer_sha256=found.tokenizer_sha256,
        dtype=kind,
        device=place,
        threads=threads,
        context=context,
        prefix=find_prefix(tokenizer),
        parameters=parameters,
        about=found.about,
        module=module,
        head=head,
        tokenizer=tokenizer,
    )


def _require_torch() -> None:
    from importlib.util import find_spec

    missing = [name for name in ("torch", "transformers", "safetensors") if find_spec(name) is None]
    if missing:
        raise InputError(f"a language model needs {', '.join(missing)}", fix="install equiglot[models]")


def find_device(wanted: str) -> str:
    """The device's name as torch knows it; ``auto`` is CUDA where there is one, else the processor.

    Raises:
        InputError: there is no such device here, or none that computes (``meta``).
    """
    import torch

    if wanted == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.ones(1, device=wanted).item()
    except (RuntimeError, AssertionError) as error:
        raise InputError(f"there is no device '{wanted}' here", fix="use auto or cpu") from error
    return wanted


def _auto_dtype(device: str) -> str:
    import torch

    if device.startswith("cuda"):
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    if device != "cpu":
        return "float32"
    capabilities = getattr(torch.cpu, "get_capabilities", dict[str, bool])()
    return "bfloat16" if capabilities.get("avx512_bf16") or capabilities.get("amx_bf16") else "float32"


def _context(config: Any) -> int | None:
    found = [getattr(config, name, None) for name in _CONTEXT]
    return next((int(value) for value in found if isinstance(value, int) and value > 0), None)


def _require_all_weights(info: Any, name: str) -> None:
    """A weight that the files lack would be drawn at random, and the scores with it."""
    missing = sorted(info["missing_keys"]) + sorted(str(key) for key in info["mismatched_keys"])
    if missing:
        shown = ", ".join(missing[:3]) + (" ..." if len(missing) > 3 else "")
        raise InputError(
            f"{name} is not whole: {len(missing)} weights of the model are not in its files ({shown})",
            fix="give the files of a causal language model, its output layer included",
        )
