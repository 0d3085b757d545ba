"""equiglot tells which evaluation scores of different languages, scripts and tokenisers may be compared,
and puts on one axis those that can be.
"""

from equiglot._version import __version__
from equiglot.errors import InputError

__all__ = ["InputError", "__version__"]
