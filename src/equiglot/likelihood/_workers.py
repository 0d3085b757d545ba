"""Work spread over the processor's cores: a worker a core, each with batches of its own.

Torch by itself splits every product among all threads and has them wait for each other some thousand times a second.
Where another process holds one of the cores, each wait lasts until that thread is scheduled again, and the others spin:
on two cores with others at work it took three times the processor time of this. Workers wait for each other once a
call. On many cores there are at most eight workers, with several threads each, because between products Python runs one
of them at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

__all__ = ["Workers", "workers"]

_MOST = 8

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Workers:
    """So many workers, one where ``pool`` is None."""

    count: int
    pool: ThreadPoolExecutor | None

    def map(self, work: Callable[[_Item], _Result], items: Iterable[_Item]) -> list[_Result]:
        """The result for each item, in order."""
        return list(map(work, items) if self.pool is None else self.pool.map(work, items))


@contextmanager
def workers(device: str, threads: int | None, *, alone: bool = False) -> Generator[Workers]:
    """Workers for a device; on the processor they have ``threads`` among them, or what torch is set to.

    With ``alone`` there is one, which has all the threads.
    """
    import torch

    before = torch.get_num_threads()
    total = threads or before
    count = min(total, _MOST) if device == "cpu" and not alone else 1
    each = total // count
    # Torch's number is the process's: set while it computes, in the calling thread and in each worker, then put back.
    torch.set_num_threads(each)
    pool = ThreadPoolExecutor(count, initializer=torch.set_num_threads, initargs=(each,)) if count > 1 else None
    try:
        yield Workers(count, pool)
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
        torch.set_num_threads(before)
