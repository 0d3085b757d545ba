"""Files of the Hugging Face hub: what its local cache has first, then the network, which is asked once.

The hub's own client tries for over a minute before it says that there is no network, once for each file. Here one short
request tells whether the hub answers and has the model; only then is anything fetched. A cached file is taken without
asking for a newer one, so that a study gives the same numbers on a train; its hash is in every signature.
"""

from __future__ import annotations

from pathlib import Path

from equiglot.errors import InputError
from equiglot.models.references import parse_reference

__all__ = ["hub_file", "require_model"]

_SECONDS = 5.0


def hub_file(name: str, file: str) -> Path | None:
    """A file of a model, out of the local cache or fetched now; None where the model has no such file.

    Raises:
        InputError: the hub can't be reached, or has no such model.
    """
    import huggingface_hub
    from huggingface_hub.errors import RemoteEntryNotFoundError

    if (path := _cached(name, file)) is not None:
        return path
    _ask_hub(name)
    try:
        return Path(huggingface_hub.hf_hub_download(name, file))
    except RemoteEntryNotFoundError:
        return None
    except Exception as error:  # gated, no room on the disk, the network gone meanwhile: errors of several libraries
        raise _not_had(name, error) from error


def require_model(reference: str) -> None:
    """Raise :class:`InputError`, within seconds, where ``hf:NAME`` is neither in the local cache nor to be fetched.

    Any other reference is no matter of the hub's.
    """
    parsed = parse_reference(reference)
    if parsed.kind == "hf" and _cached(parsed.name, "config.json") is None:
        _ask_hub(parsed.name)


def _ask_hub(name: str) -> None:
    import huggingface_hub
    from huggingface_hub.errors import HFValidationError, RepositoryNotFoundError

    try:
        huggingface_hub.HfApi().model_info(name, timeout=_SECONDS)
    except (RepositoryNotFoundError, HFValidationError) as error:
        problem = f"the hub has no model '{name}' that you may read"
        raise InputError(problem, fix="check the name, and set HF_TOKEN where it is private or gated") from error
    except Exception as error:  # the network's own, of several libraries
        raise _not_had(name, error) from error


def _cached(name: str, file: str) -> Path | None:
    import huggingface_hub
    from huggingface_hub.errors import HFValidationError

    try:
        found = huggingface_hub.try_to_load_from_cache(name, file)
    except HFValidationError:
        return None
    return Path(found) if isinstance(found, str) else None


def _not_had(name: str, error: Exception) -> InputError:
    said = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    problem = f"'hf:{name}' is not in the hub's local cache and can't be had from the hub ({said})"
    return InputError(problem, fix="connect to the network, or name a folder, or what a package carries (pkg:NAME)")
