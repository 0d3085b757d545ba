"""Requests of one model, as its server needs them.

vLLM is known by what it calls itself in its list of models. It gets a salt with every request, other for each, so that
none finds a prefix that another has left in the cache, and does not put BOS before a text where that is not wanted.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from equiglot.engine.client import Client, NoReplyError
from equiglot.errors import InputError
from equiglot.likelihood.engines._cost import Cost, cost_of
from equiglot.likelihood.engines._reply import Reply, read_reply, request
from equiglot.likelihood.engines._start import Start

__all__ = ["Asker", "served"]


def served(client: Client) -> Mapping[str, str]:
    """The models that an endpoint lists, and of each who it says it is from.

    Raises:
        InputError: it can't be reached, or lists nothing.
    """
    try:
        body: Any = client.ask(lambda openai: openai.models.with_raw_response.list(), lambda body: body, 0.0)
    except NoReplyError as error:
        raise InputError(f"the endpoint lists no models: {error}", fix="mend its address, or the server") from None
    data: Any = body.get("data") if isinstance(body, dict) else None
    entries: list[Any] = data if isinstance(data, list) else []
    return {str(entry.get("id")): str(entry.get("owned_by")) for entry in entries if isinstance(entry, dict)}


class Asker:
    """Asks for what a text costs; used by all workers at once.

    Args:
        client: of the endpoint.
        model: its name there.
        vllm: whether the server is vLLM.
        bos: whether BOS is wanted before a text.
    """

    def __init__(self, client: Client, model: str, *, vllm: bool, bos: bool) -> None:
        self._client, self._model, self._vllm, self._bos = client, model, vllm, bos

    def prompt(self, text: str) -> Reply:
        """What the endpoint says of a prompt that any endpoint can score.

        Raises:
            InputError: it doesn't.
        """
        try:
            return self._reply(text, 0.0)
        except NoReplyError as error:
            raise InputError(f"the endpoint can't be asked: {error}", fix="mend that, or use another server") from None

    def cost(self, text: str, start: Start, spread: float) -> Cost | str:
        """A text's cost, or why there is none; ``spread`` as in :meth:`~equiglot.engine.client.Client.ask`.

        Raises:
            InputError: no text would have one.
        """
        try:
            return cost_of(self._reply(text, spread), text, start)
        except NoReplyError as error:
            return str(error)

    def _reply(self, text: str, spread: float) -> Reply:
        more = {"cache_salt": secrets.token_hex(16), "add_special_tokens": self._bos} if self._vllm else {}
        body: dict[str, Any] = {"model": self._model, **request(text)}

        def send(openai: Any) -> Any:
            return openai.completions.with_raw_response.create(**body, extra_body=more)

        return self._client.ask(send, read_reply, spread)
