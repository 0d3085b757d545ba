"""Ask an OpenAI-compatible endpoint one thing: tried again where that can help, given up for one request or for all.

=============================== =====================================================================
what came                       what is done
=============================== =====================================================================
429                             all workers wait as long as Retry-After says, else a while, doubled
408, 409, 425, 5xx, a time-out, this request is made again after a while, doubled each time
a dropped connection, an answer
without choices or no JSON
401, 403, 404, no credit left,  the run ends: every request would fail alike
a wait of many minutes,
nobody at the address
any other 4xx                   this request has no answer, and the reason is kept
=============================== =====================================================================

The client's own retries are off: they know neither of the other workers nor of answers without choices.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from equiglot.engine.pace import Pace, backoff, retry_after
from equiglot.errors import InputError

if TYPE_CHECKING:
    from openai import APIConnectionError, APIStatusError, OpenAI

__all__ = ["Address", "Client", "NoReplyError", "TryAgainError", "endpoint_words"]

_WORTH_ANOTHER = {408, 409, 425, 429}
_LONGEST_WAIT = 600.0
_HIDDEN = "[API key]"
_MOST_SAID = 300
_SHORTEST_SECRET = 8
"""A "key" that is shorter is a placeholder for a server that needs none, and may well be a word of an answer."""

_Answer = TypeVar("_Answer")


class Address(Protocol):
    """Who is asked, and how patiently."""

    @property
    def model(self) -> str:
        """The model's name at the endpoint."""
        ...

    @property
    def base_url(self) -> str:
        """Up to and with ``/v1``."""
        ...

    @property
    def timeout(self) -> float:
        """Seconds until a request without an answer is given up and made again."""
        ...

    @property
    def attempts(self) -> int:
        """How often one request is made, at most."""
        ...

    def key(self) -> str | None:
        """The API key, None where there is none."""
        ...


class NoReplyError(Exception):
    """There is no answer to this request; the text says why."""


class TryAgainError(Exception):
    """Worth another attempt, after ``wait`` seconds where the endpoint says so."""

    def __init__(self, reason: str, wait: float | None = None, for_all: bool = False) -> None:
        super().__init__(reason)
        self.wait, self.for_all = wait, for_all


class Client:
    """A client of one endpoint, used by all workers at once."""

    def __init__(self, address: Address) -> None:
        try:
            from openai import OpenAI, Timeout
        except ImportError as error:
            raise InputError(f"asking a model needs {error.name}", fix="install equiglot[generate]") from error
        self._address = address
        self._key = address.key()
        self._client = OpenAI(
            api_key=self._key or "none",
            base_url=address.base_url,
            max_retries=0,
            timeout=Timeout(address.timeout, connect=min(address.timeout, 10.0)),
        )
        self._pace = Pace()
        self._reached = False

    def ask(self, send: Callable[[OpenAI], Any], read: Callable[[Any], _Answer], spread: float) -> _Answer:
        """What one request comes to.

        Args:
            send: makes the request with the client that it is given; returns a raw response.
            read: takes the answer out of the JSON of the response; raises :class:`TryAgainError` where it isn't there.
            spread: 0 to 1, other for each request: how its waits differ from those of others.

        Raises:
            NoReplyError: this request has no answer.
            InputError: no request would have one.
        """
        attempts, reason = self._address.attempts, ""
        for attempt in range(attempts):
            self._pace.wait()
            if self._pace.stopped:
                raise NoReplyError("the run was stopped")
            try:
                return read(self._once(send))
            except TryAgainError as again:
                reason = str(again)
                if attempt + 1 == attempts:
                    break
                wait = backoff(attempt, spread) if again.wait is None else again.wait
                (self._pace.hold if again.for_all else self._pace.sleep)(wait)
        raise NoReplyError(f"{reason} ({attempts} {'attempt' if attempts == 1 else 'attempts'})")

    def stop(self) -> None:
        """Make no more requests; those under way come to their end."""
        self._pace.stop()

    def hidden(self, said: object) -> str:
        """What the endpoint said, without the key: some repeat the key that they refuse."""
        text = str(said)
        secret = self._key or ""
        return text.replace(secret, _HIDDEN) if len(secret) >= _SHORTEST_SECRET else text

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def _once(self, send: Callable[[OpenAI], Any]) -> Any:
        import openai

        try:
            answered = send(self._client)
        except openai.APITimeoutError as error:
            raise TryAgainError(f"no answer within {self._address.timeout:g} s") from error
        except openai.APIConnectionError as error:
            raise self._unreached(error) from None
        except openai.APIStatusError as error:
            raise self._refused(error) from None  # its text may hold the key, and a traceback shows causes
        self._reached = True
        try:
            return json.loads(answered.http_response.text)
        except ValueError as error:
            raise TryAgainError("the endpoint sent something other than JSON") from error

    def _unreached(self, error: APIConnectionError) -> Exception:
        cause = error.__cause__
        if not self._reached and type(cause).__name__ == "ConnectError":
            return InputError(
                f"nothing answers at {self._address.base_url} ({self.hidden(cause)})",
                fix="start the server, or mend its address",
            )
        return TryAgainError(f"the connection was lost ({self.hidden(cause or error)})")

    def _refused(self, error: APIStatusError) -> Exception:
        self._reached = True
        status, said = error.status_code, self.hidden(endpoint_words(error))[:_MOST_SAID]
        if status in (401, 403):
            return InputError(
                f"the endpoint refuses the API key ({status}: {said})", fix="mend the key --key-env names"
            )
        if status == 404:
            return InputError(
                f"the endpoint knows no model '{self._address.model}', or has no such address ({status}: {said})",
                fix="mend the model's name or the address",
            )
        if error.code == "insufficient_quota":
            return InputError(f"there is no credit left ({said})", fix="add some; what was answered is kept")
        if status not in _WORTH_ANOTHER and status < 500:
            return NoReplyError(f"the endpoint refused the prompt ({status}: {said})")
        wait = retry_after(error.response.headers)
        if wait is not None and wait > _LONGEST_WAIT:
            return InputError(
                f"the endpoint asks to wait {wait / 60:.0f} minutes ({status}: {said})",
                fix="give the same command later: what was answered is kept",
            )
        return TryAgainError(f"status {status}: {said}", wait, for_all=status == 429)


def endpoint_words(error: APIStatusError) -> str:
    """The endpoint's own words, on one line."""
    body = error.body
    said: Any = body.get("message") if isinstance(body, dict) else body
    return " ".join(str(said or error.message).split())
