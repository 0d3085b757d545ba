"""Ask the endpoint one prompt, and read the reply; :mod:`equiglot.engine.client` says what is tried again."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from equiglot.engine.client import Client, NoReplyError, TryAgainError, endpoint_words
from equiglot.errors import InputError
from equiglot.generate._store import Reply
from equiglot.generate.endpoint import Endpoint

if TYPE_CHECKING:
    from openai import OpenAI

__all__ = ["Asker", "NoReplyError"]


class Asker:
    """A client of the endpoint, used by all workers at once."""

    def __init__(self, endpoint: Endpoint) -> None:
        try:
            import_module("json_repair")  # needed only when all is paid for, so it is missed now
        except ImportError as error:
            raise InputError(f"asking a model needs {error.name}", fix="install equiglot[generate]") from error
        self._client = Client(endpoint)
        self._limit = "max_tokens"

    def ask(self, request: dict[str, object], spread: float) -> Reply:
        """The reply to one request.

        Args:
            request: as :meth:`Endpoint.request` makes it.
            spread: 0 to 1, other for each request: how its waits differ from those of others.

        Raises:
            NoReplyError: this prompt has none.
            InputError: no prompt would have one.
        """
        return self._client.ask(lambda client: self._send(client, request), self._reply, spread)

    def stop(self) -> None:
        """Make no more requests; those under way come to their end."""
        self._client.stop()

    def __enter__(self) -> Asker:
        return self

    def __exit__(self, *error: object) -> None:
        self._client.__exit__(*error)

    def _send(self, client: OpenAI, request: dict[str, object]) -> Any:
        import openai

        body: dict[str, Any] = dict(request)
        body[self._limit] = body.pop("max_tokens")
        try:
            return client.chat.completions.with_raw_response.create(**body)
        except openai.APIStatusError as error:
            if "max_tokens" in body and "max_completion_tokens" in error.message:
                self._limit = "max_completion_tokens"  # the name of the same limit for newer models
                return self._send(client, request)
            if error.param == "temperature":
                said = self._client.hidden(endpoint_words(error))
                raise InputError(
                    f"the model refuses the temperature ({said})", fix="send none: --no-temperature"
                ) from None  # its text may hold the key
            raise

    def _reply(self, body: Any) -> Reply:
        """The reply in a response's body, of which nothing is taken for granted."""
        choices = body.get("choices") if isinstance(body, dict) else None
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            raise TryAgainError("the endpoint sent no choices")
        usage = body.get("usage")
        tokens = usage.get("completion_tokens") if isinstance(usage, dict) else None
        finish, refusal = choice.get("finish_reason"), message.get("refusal")
        hidden = self._client.hidden
        return Reply(
            hidden(_content(message.get("content"))),
            hidden(finish) if isinstance(finish, str) else None,
            tokens if type(tokens) is int and 0 <= tokens < 1 << 53 else None,  # True is an int too
            hidden(refusal) if isinstance(refusal, str) and refusal else None,
        )


def _content(content: object) -> str:
    """The text of a message: a string, or parts of which some are text."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
