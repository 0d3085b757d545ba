"""When the next request may be made: one clock that all workers heed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from math import isfinite
from threading import Event, Lock

__all__ = ["Pace", "backoff", "retry_after"]

_FIRST, _LONGEST = 0.5, 30.0


class Pace:
    """Holds every worker back while the endpoint asks for it, and lets all go when work is stopped."""

    def __init__(self) -> None:
        self._until = 0.0
        self._lock = Lock()
        self._stopped = Event()

    @property
    def stopped(self) -> bool:
        """Whether no more requests are to be made."""
        return self._stopped.is_set()

    def hold(self, seconds: float) -> None:
        """Let no request begin for so long."""
        with self._lock:
            self._until = max(self._until, time.monotonic() + seconds)

    def sleep(self, seconds: float) -> None:
        """Wait, unless stopped."""
        self._stopped.wait(seconds)

    def wait(self) -> None:
        """Wait until a request may begin; it may have been put off again meanwhile."""
        while not self.stopped and (left := self._until - time.monotonic()) > 0:
            self._stopped.wait(left)

    def stop(self) -> None:
        """End every wait, now and later."""
        self._stopped.set()


def backoff(attempt: int, spread: float) -> float:
    """Seconds to wait after the attempt of that number (from 0): doubled each time, at most half a minute.

    ``spread`` (0 to 1) sets workers apart that failed at once: the wait is between half and all of it.

    >>> backoff(0, 1.0), backoff(2, 0.0), backoff(50, 1.0)
    (0.5, 1.0, 30.0)
    """
    return min(_FIRST * 2.0 ** min(attempt, 20), _LONGEST) * (0.5 + 0.5 * spread)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the endpoint asks to wait (a number or a date), None where it does not say.

    >>> retry_after({"retry-after": "2"}), retry_after({"retry-after-ms": "250"}), retry_after({"retry-after": "soon"})
    (2.0, 0.25, None)
    """
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return _wait(float(milliseconds) / 1000)
        if seconds := headers.get("retry-after"):
            return _wait(float(seconds))
    except ValueError:
        try:
            return _wait(parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time())
        except (KeyError, ValueError):
            pass
    return None


def _wait(seconds: float) -> float | None:
    return max(seconds, 0.0) if isfinite(seconds) else None
