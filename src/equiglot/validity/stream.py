"""The failure-aware policy from file to file, in memory that does not grow with the file.

Which script is expected never depends on the answers, because they are what is judged: it is the script that the row's
column or language tag says, else Latin in the condition ``romanized``, else the language's usual one (said in a note).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

import polars as pl

from equiglot.engine import Progress, silent
from equiglot.errors import InputError
from equiglot.measures import MeasureInfo
from equiglot.table import Segments
from equiglot.table._arrange import ReadOptions, arrange
from equiglot.table._raw import Raw
from equiglot.table.columns import name_columns
from equiglot.tokens.tokenizer import Tokenizer
from equiglot.validity._blocks import is_text_table, line_texts, moved, rows_of, table_blocks
from equiglot.validity._sink import Sink
from equiglot.validity.expected import expected_scripts
from equiglot.validity.filecheck import FileFacts, check_file
from equiglot.validity.policy import Policy
from equiglot.validity.result import Validation
from equiglot.validity.tally import Tally
from equiglot.validity.validate import judged, limit_tokenizer, valid_info

__all__ = ["validate_file", "validate_lines"]

_LINES_AT_ONCE = 1 << 12
_AHEAD = 4
_NO_ID = "there is no column 'id', so rows were numbered in file order within language, system and condition"
_NO_TEXT = "no text shows the script, so the usual one was taken"
_ASSUMED = (
    "nothing says which script is expected, so the usual one was taken ({}); say --script, or name the language as in "
    "te-Latn, where it is another"
)


def validate_file(
    path: str | Path,
    output: str | Path | None = None,
    *,
    policy: Policy | None = None,
    scripts: Sequence[str] = (),
    may_copy: str | None = None,
    tokenizer: str | None = None,
    language: str | None = None,
    rename: Mapping[str, str] | None = None,
    quotes: bool = True,
    progress: Progress = silent,
) -> Validation:
    """Validate a table (.csv, .tsv, .jsonl, .parquet; .json is read at once), and write it with what was found.

    Args:
        path: the table; needs ``target`` and a language, and ``source`` for copies to be found.
        output: where the table goes (.parquet, .csv, .tsv, .jsonl), with the columns of
            :func:`equiglot.validity.validate`; None writes none.
        policy, scripts, may_copy, tokenizer: as in :func:`equiglot.validity.validate`.
        language, rename, quotes: as in :func:`equiglot.table.read_segments`.
        progress: told of rows.

    Raises:
        InputError: a table that can't be read or written, with its row.
    """
    path = Path(path)
    facts = check_file(path) if is_text_table(path) else None
    work = _Work.begun(policy, scripts, may_copy, tokenizer)
    blocks = _arranged(path, language, dict(rename or {}), work, quotes)
    total = facts.lines if facts else rows_of(path)
    return work.done(blocks, output, facts.faults if facts else (), watched=_Watched(progress, total))


def validate_lines(
    source: str | Path | None,
    targets: Sequence[str | Path],
    output: str | Path | None = None,
    *,
    language: str,
    policy: Policy | None = None,
    scripts: Sequence[str] = (),
    tokenizer: str | None = None,
    progress: Progress = silent,
) -> Validation:
    """Validate plain-text files, one answer a line, one file per system.

    Args:
        source: the sources, line by line, or None where there are none.
        targets: the answers.
        output, policy, scripts, tokenizer, progress: as in :func:`validate_file`.
        language: of the answers, with the script where it is not the usual one, e.g. ``te-Latn``.

    Raises:
        InputError: a file that can't be read, or files of different length, with what may have broken lines.
    """
    paths = [Path(target) for target in targets]
    origin = None if source is None else Path(source)
    facts = {path: check_file(path) for path in ([origin] if origin else []) + paths}
    first, *others = facts.values()
    for other in others:
        _check_length(first, other)
    work = _Work.begun(policy, scripts, None, tokenizer)
    blocks = chain.from_iterable(
        _lines(facts[origin] if origin else None, facts[path], name, language, work)
        for path, name in zip(paths, _systems(paths), strict=True)
    )
    faults = tuple(fault for fact in facts.values() for fault in fact.faults)
    return work.done(blocks, output, faults, watched=_Watched(progress, first.lines * len(paths)))


@dataclass(frozen=True, slots=True)
class _Watched:
    """Tells how many rows have come by, of about how many."""

    progress: Progress
    total: int

    def __call__(self, frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        done = 0
        for frame in frames:
            yield frame
            done += frame.height
            self.progress("validating rows", done, max(done, self.total))


@dataclass(slots=True)
class _Work:
    """What every block is judged by, and what is gathered on the way."""

    policy: Policy
    scripts: tuple[str, ...]
    may_copy: str | None
    tokenizer: Tokenizer | None
    measures: dict[str, MeasureInfo] = field(default_factory=dict[str, MeasureInfo])
    notes: dict[str, None] = field(default_factory=dict[str, None])

    @classmethod
    def begun(cls, policy: Policy | None, scripts: Sequence[str], may_copy: str | None, tokenizer: str | None) -> _Work:
        policy = policy or Policy()
        expected_scripts(*scripts)  # not a script: said before the work
        return cls(policy, tuple(scripts), may_copy, limit_tokenizer(policy, tokenizer))

    def options(self, language: str | None) -> ReadOptions:
        """How blocks are arranged; a script that no column or tag names is the first that is expected, or the usual."""
        script = self.scripts[0] if self.scripts else None
        return {
            "language": language,
            "script_of": lambda texts, _languages: pl.repeat(script, texts.len(), dtype=pl.String, eager=True),
        }

    def told(self, segments: Segments) -> None:
        """Gather what is known of the columns, and what is to be said."""
        self.measures.update(segments.measures)
        for note in segments.notes:
            head, found, assumed = note.partition(_NO_TEXT)
            self.notes[head + _ASSUMED.format(assumed.removeprefix(": ")) if found else note] = None

    def done(
        self, blocks: Iterator[pl.DataFrame], output: str | Path | None, faults: tuple[str, ...], *, watched: _Watched
    ) -> Validation:
        """Judge the blocks, two at a time and in order, and write them."""
        tally = Tally()
        info = valid_info(self.policy, self.scripts, self.tokenizer)
        sink = None if output is None else Sink(Path(output))
        if sink is None:
            for frame in watched(self._judged(blocks)):
                tally.add(frame)
        else:
            with sink:
                for frame in watched(self._judged(blocks)):
                    tally.add(frame)
                    sink.write(frame)
                sink.finish({**self.measures, info.name: info}, list(self.notes))
        return Validation.made(tally, self.policy.invalid, info.signature, faults=faults, notes=tuple(self.notes))

    def _judged(self, blocks: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        rows = 0
        with ThreadPoolExecutor(2) as pool:
            waiting: deque[Future[pl.DataFrame]] = deque()
            for frame in chain(blocks, [None] * _AHEAD):
                if frame is not None:
                    waiting.append(pool.submit(self._judge, frame, rows))
                    rows += frame.height
                if len(waiting) >= _AHEAD or (frame is None and waiting):
                    yield waiting.popleft().result()

    def _judge(self, frame: pl.DataFrame, before: int) -> pl.DataFrame:
        try:
            return judged(frame, self.policy, self.scripts, may_copy=self.may_copy, tokenizer=self.tokenizer)
        except InputError as error:
            raise moved(error, before) from error


def _arranged(
    path: Path, language: str | None, rename: dict[str, str], work: _Work, quotes: bool
) -> Iterator[pl.DataFrame]:
    """The blocks of a table under the table's names, ids numbered through the whole file."""
    numbered: dict[tuple[str, ...], int] = {}
    for before, block in table_blocks(path, quotes=quotes):
        raw = name_columns(block, rename, ["language"] if language else [], [])
        if "target" not in raw.frame.columns:
            have = ", ".join(raw.frame.columns)
            fix = f"name it with --map target=YOUR_COLUMN; the columns are {have}"
            raise InputError("there is no column of answers", fix=fix, path=path)
        has_id = "id" in raw.frame.columns
        if not has_id:
            numbers = pl.Series("id", range(raw.frame.height)).cast(pl.String)
            raw = Raw(raw.frame.with_columns(numbers), raw.name, path, raw.notes, raw.told, raw.odd, raw.measures)
        try:
            segments = arrange(raw, work.options(language))
        except InputError as error:
            raise moved(error, before) from error
        work.told(segments if has_id else segments.noted(f"{path.name}: {_NO_ID}"))
        yield segments.frame if has_id else _numbered(segments.frame, numbered)


def _numbered(frame: pl.DataFrame, numbered: dict[tuple[str, ...], int]) -> pl.DataFrame:
    """Ids within each group, going on from the blocks before."""
    group = ["language", "system", "condition"]
    starts = [numbered.get(key, 0) for key in frame.select(group).iter_rows()]
    number = pl.Series(starts) + frame.select(pl.int_range(1, pl.len() + 1).over(group)).to_series()
    for *key, rows in frame.group_by(group).len().iter_rows():
        numbered[tuple(key)] = numbered.get(tuple(key), 0) + rows
    return frame.with_columns(number.cast(pl.String).alias("id"))


def _lines(
    source: FileFacts | None, target: FileFacts, system: str, language: str, work: _Work
) -> Iterator[pl.DataFrame]:
    """The blocks of a file of answers beside its sources."""
    sources = line_texts(source.path, source) if source else None
    targets = line_texts(target.path, target)
    before = 0
    while some := list(islice(targets, _LINES_AT_ONCE)):
        columns = {"id": [str(before + i) for i in range(1, len(some) + 1)], "target": some}
        if sources is not None:
            columns["source"] = list(islice(sources, len(some)))
        frame = pl.DataFrame(columns).with_columns(pl.lit(system).alias("system"))
        segments = arrange(Raw(frame, target.path.name, target.path), work.options(language))
        work.told(segments)
        yield segments.frame
        before += len(some)


def _check_length(one: FileFacts, other: FileFacts) -> None:
    short, long = sorted((one, other), key=lambda facts: facts.lines)
    if short.lines == long.lines:
        return
    broken = [fault for facts in (long, short) for fault in facts.faults if "end the line" in fault]
    why = f"; {broken[0]}" if broken else ""
    raise InputError(
        f"there are {long.lines:,} lines here and {short.lines:,} in {short.path}, so this line has no partner{why}",
        fix="give files that are aligned line by line",
        path=long.path,
        row=short.lines + 1,
    )


def _systems(paths: Sequence[Path]) -> list[str]:
    """Each file's name without its suffix, with its folder's before it where two are alike."""
    stems = [path.name.removesuffix(".gz").rsplit(".", 1)[0] or path.name for path in paths]
    names = [
        f"{path.absolute().parent.name}/{stem}" if stems.count(stem) > 1 else stem
        for path, stem in zip(paths, stems, strict=True)
    ]
    if len(set(names)) < len(names):
        raise InputError("two files of answers would be one system", fix="give each file a name of its own")
    return names
