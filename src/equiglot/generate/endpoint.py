"""Where answers come from: a model behind an OpenAI-compatible endpoint, and how it is asked.

OpenAI's own, vLLM, llama.cpp's server, Ollama (``http://127.0.0.1:11434/v1``) and the compatible endpoints of other
makers speak the protocol. The API key is read from the environment when a request is made and held nowhere else: not
in this object, nor in what is stored or written.
"""

from __future__ import annotations

from dataclasses import dataclass

from equiglot.engine.address import OPENAI_URL, read_key, require_url, require_variable
from equiglot.errors import InputError

__all__ = ["OPENAI_URL", "Endpoint"]

_LONGEST = 86_400


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model and the settings it is asked with.

    Attributes:
        model: the model's name at the endpoint.
        base_url: up to and with ``/v1``.
        key_env: name of the environment variable that holds the API key. A server of your own may need none.
        temperature: 0 asks for the likeliest answer; None sends none, for models that refuse it.
        max_tokens: where an answer is cut, at most.
        json_mode: whether the server is asked to let the model write nothing but JSON (``response_format``).
        timeout: seconds until a request without an answer is given up and tried again.
        attempts: how often one prompt is tried, at most.

    Raises:
        InputError: a setting that can't be.

    >>> Endpoint("qwen3", "http://127.0.0.1:11434/v1").temperature
    0.0
    """

    model: str
    base_url: str = OPENAI_URL
    key_env: str = "OPENAI_API_KEY"
    temperature: float | None = 0.0
    max_tokens: int = 4096
    json_mode: bool = False
    timeout: float = 300.0
    attempts: int = 8

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise InputError("the model has no name", fix="name the model as the endpoint calls it")
        require_url(self.base_url)
        require_variable(self.key_env)
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise InputError(f"a temperature of {self.temperature:g} can't be", fix="take 0 to 2")
        if self.max_tokens < 1 or self.attempts < 1 or not self.timeout > 0:
            raise InputError("tokens, attempts and seconds start above 0", fix="take a larger number")
        if self.timeout > _LONGEST:
            raise InputError(f"nobody waits {self.timeout:g} seconds", fix=f"take {_LONGEST:,} (a day) or fewer")

    def key(self) -> str | None:
        """The API key, or None where the endpoint is not OpenAI's and the environment holds none.

        Raises:
            InputError: OpenAI's endpoint without a key, or what can't be one.
        """
        return read_key(self.key_env, self.base_url)

    def request(self, message: str) -> dict[str, object]:
        """The body of the request for one message."""
        body: dict[str, object] = {"model": self.model, "messages": [{"role": "user", "content": message}]}
        if self.temperature is not None:
            body["temperature"] = self.temperature
        body["max_tokens"] = self.max_tokens
        if self.json_mode:
            body["response_format"] = {"type": "json_object"}
        return body
