"""Progress on standard error: a bar with rate and time left where someone watches, a line now and then where not."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from equiglot.engine import Progress

__all__ = ["watching"]

_QUIET_SECONDS = 2.0
_LINE_EVERY_SECONDS = 15.0


@contextmanager
def watching() -> Generator[Progress]:
    """A progress callable; it shows nothing for work that is done within two seconds."""
    if sys.stderr.isatty():
        with _bars() as report:
            yield report
    else:
        yield _Lines()


@contextmanager
def _bars() -> Generator[Progress]:
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TextColumn("{task.fields[rate]}"),
        rich.TimeRemainingColumn(),
    )
    started: dict[str, float] = {}
    first: dict[str, int] = {}
    tasks: dict[str, rich.TaskID] = {}
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as bars:

        def report(what: str, done: int, total: int) -> None:
            now = time.monotonic()
            if done < first.get(what, 0):  # the same work on other rows
                del started[what], first[what]
            begun = started.setdefault(what, now)
            before = first.setdefault(what, done)
            if now - begun < _QUIET_SECONDS:
                return
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=total, rate="")
            bars.update(tasks[what], completed=done, total=total, rate=f"{(done - before) / (now - begun):.1f}/s")

        yield report


class _Lines:
    """One plain line at most every fifteen seconds, for logs."""

    def __init__(self) -> None:
        self._begun: dict[str, tuple[float, int]] = {}
        self._said: dict[str, float] = {}

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if done < self._begun.get(what, (now, 0))[1]:  # the same work on other rows
            del self._begun[what], self._said[what]
        begun, before = self._begun.setdefault(what, (now, done))
        last = self._said.setdefault(what, now)
        if now - last < _LINE_EVERY_SECONDS:
            return
        self._said[what] = now
        rate = (done - before) / (now - begun)
        left = f", {(total - done) / rate / 60:.1f} min left" if rate > 0 else ""
        sys.stderr.write(f"{what}: {done:,} of {total:,}, {rate:.1f}/s{left}\n")
        sys.stderr.flush()
