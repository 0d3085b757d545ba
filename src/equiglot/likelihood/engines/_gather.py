"""Ask for many texts at once, each once, and keep every cost when it comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from equiglot.engine import Progress
from equiglot.likelihood.engines._cost import Cost
from equiglot.likelihood.engines._kept import Kept

__all__ = ["gather"]


def gather(
    texts: Sequence[str],
    ask: Callable[[str, float], Cost | str],
    kept: Kept | None,
    *,
    concurrency: int,
    stop: Callable[[], None],
    progress: Progress,
    what: str,
) -> dict[str, Cost | str]:
    """The cost of each text, or why it has none; what failed is not kept, so that it is asked again.

    Args:
        texts: unique ones.
        ask: for one text, given a spread (0 to 1) of its waits.
        kept: what is known, and where more is kept.
        concurrency: requests under way at once.
        stop: ends all waits when one request shows that none will do.
        progress: told of texts done.
        what: what progress is of.
    """
    found: dict[str, Cost | str] = {**kept.get(texts)} if kept else {}
    left = [text for text in texts if text not in found]
    progress(what, len(found), len(texts))
    with ThreadPoolExecutor(concurrency) as pool:
        futures = {pool.submit(ask, text, place / len(left)): text for place, text in enumerate(left)}
        try:
            for future in as_completed(futures):
                text, outcome = futures[future], future.result()
                found[text] = outcome
                if kept and isinstance(outcome, Cost):
                    kept.put(text, outcome)
                progress(what, len(found), len(texts))
        except BaseException:
            stop()
            pool.shutdown(cancel_futures=True)
            raise
    return found
