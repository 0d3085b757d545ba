"""Ask many questions at once, each once, and keep every reply when it comes."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from equiglot.engine import Progress
from equiglot.errors import InputError
from equiglot.generate._ask import Asker, NoReplyError
from equiglot.generate._store import Reply, ReplyStore
from equiglot.generate.endpoint import Endpoint

__all__ = ["Outcome", "Question", "ask_questions"]

Outcome = Reply | str
"""A reply, or why there is none."""


@dataclass(frozen=True, slots=True)
class Question:
    """One request; requests of one key are one question."""

    key: bytes
    body: dict[str, object]


def ask_questions(
    questions: Sequence[Question], endpoint: Endpoint, *, folder: Path | None, concurrency: int, progress: Progress
) -> dict[bytes, Outcome]:
    """What came of every question, by its key.

    Args:
        questions: what is asked.
        endpoint: who is asked.
        folder: where replies are kept and looked for first; None keeps nothing.
        concurrency: requests under way at once.
        progress: told of questions answered.

    Raises:
        InputError: the endpoint can't be used, or has answered none of the questions.
    """
    unique = {question.key: question for question in questions}
    replies = _Replies(folder, list(unique))
    try:
        left = [question for key, question in unique.items() if key not in replies.found]
        progress("asking", len(unique) - len(left), len(unique))
        if left:
            asker = Asker(endpoint)
            with asker, ThreadPoolExecutor(concurrency) as pool:
                futures = {pool.submit(asker.ask, q.body, q.key[0] / 255): q for q in left}
                try:
                    for future in as_completed(futures):
                        replies.keep(futures[future], future)
                        progress("asking", len(replies.found), len(unique))
                except BaseException:
                    asker.stop()
                    pool.shutdown(cancel_futures=True)
                    replies.keep_paid_for(futures)
                    raise
    finally:
        replies.close()
    failed = [outcome for outcome in replies.found.values() if isinstance(outcome, str)]
    if failed and len(failed) == len(replies.found):
        raise InputError(f"no prompt was answered: {failed[0]}", fix="mend that, and give the same command again")
    return replies.found


class _Replies:
    """What is known so far, in memory and on disk."""

    def __init__(self, folder: Path | None, keys: Sequence[bytes]) -> None:
        self._store = None if folder is None else ReplyStore(folder)
        self.found: dict[bytes, Outcome] = {} if self._store is None else {**self._store.get(keys)}

    def keep(self, question: Question, future: Future[Reply]) -> None:
        """Keep what came; what concerns all questions is raised."""
        try:
            reply = future.result()
        except NoReplyError as error:
            self.found[question.key] = str(error)
            return
        self.found[question.key] = reply
        if self._store is not None:
            self._store.put(question.key, reply)

    def keep_paid_for(self, futures: dict[Future[Reply], Question]) -> None:
        """Keep the replies that came while the run was being stopped."""
        for future, question in futures.items():
            if question.key not in self.found and not future.cancelled() and future.exception() is None:
                self.keep(question, future)

    def close(self) -> None:
        """Close the file."""
        if self._store is not None:
            self._store.close()
