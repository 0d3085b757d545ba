"""What a reference names: a tokeniser, a model or a metric from a hub, a path, or a package that carries one.

``hf:NAME`` is a name on the Hugging Face hub, ``pkg:NAME`` one that an installed package carries (so that everything
runs with no hub), anything else a path.
"""

from equiglot.models.cache import cache_folder
from equiglot.models.embedded import EMBEDDED, Embedded, embedded, embedded_file
from equiglot.models.hub import hub_file, require_model
from equiglot.models.references import Reference, parse_reference

__all__ = [
    "EMBEDDED",
    "Embedded",
    "Reference",
    "cache_folder",
    "embedded",
    "embedded_file",
    "hub_file",
    "parse_reference",
    "require_model",
]
