"""Other ways to a text's negative log-likelihood than the scorer here: a server's log-probs, a file's scores."""

from equiglot.likelihood.engines.endpoint import EndpointEngine
from equiglot.likelihood.engines.file import FileEngine
from equiglot.likelihood.engines.protocol import Engine, Scored, add_engine_likelihood
from equiglot.likelihood.engines.references import find_engine

__all__ = ["EndpointEngine", "Engine", "FileEngine", "Scored", "add_engine_likelihood", "find_engine"]
