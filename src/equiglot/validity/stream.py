"""The failure-aware policy from file to file, in memory that hardly grows with the file (eight bytes a row with an id).

Which script is expected never depends on the answers, because they are what is judged: it is the script that the row's
column or language tag says, else Latin in the condition ``romanized``, else the language's usual one (said in a note).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from equiglot.tokens.tokenizer import Tokenizer
from equiglot.validity._blocks import is_text_table, line_texts, moved, rows_of
from equiglot.validity._missing import has_cells, missing_note
from equiglot.validity._notes import FileNotes
from equiglot.validity._sink import Sink
from equiglot.validity._tables import Tables
from equiglot.validity.expected import expected_scripts
from equiglot.validity.filecheck import FileFacts, check_file
from equiglot.validity.policy import Policy
from equiglot.validity.result import Validation
from equiglot.validity.tally import NO_SOURCE, Tally
from equiglot.validity.validate import judged, limit_tokenizer, valid_info

__all__ = ["validate_files", "validate_lines"]

_LINES_AT_ONCE = 1 << 12
_AHEAD = 4


def validate_files(
    paths: Sequence[str | Path],
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
    """Validate one table or several (.csv, .tsv, .jsonl, .parquet; .json is read at once) and write what was found.

    Of several, a table without a column ``system`` is of the system that its file is named after; where there is no
    ``id`` either, row n of each file is taken to answer the same prompt, which a note says.

    Args:
        paths: the tables; they need ``target`` and a language, and ``source`` for copies to be found.
        output: where the rows go (.parquet, .csv, .tsv, .jsonl), with the columns of
            :func:`equiglot.validity.validate`; None writes none.
        policy, scripts, may_copy, tokenizer: as in :func:`equiglot.validity.validate`.
        language, rename, quotes: as in :func:`equiglot.table.read_segments`.
        progress: told of rows.

    Raises:
        InputError: a table that can't be read or written, with its row; two rows of one key, in one file or in two.
    """
    files = [Path(path) for path in paths]
    work = _Work.begun(policy, scripts, may_copy, tokenizer)
    work.cells = any(map(has_cells, files))
    facts = [check_file(path, header=has_cells(path)) if is_text_table(path) else None for path in files]
    systems = _systems(files) if len(files) > 1 else [None] * len(files)
    tables = Tables(
        list(zip(files, systems, strict=True)), work.options(language), dict(rename or {}), quotes, work.told
    )
    total = sum(fact.lines if fact else rows_of(path) for path, fact in zip(files, facts, strict=True))
    faults = tuple(fault for fact in facts if fact for fault in fact.faults)
    return work.done(tables.blocks(), output, faults, watched=_Watched(progress, total))


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
        output, policy, scripts, tokenizer, progress: as in :func:`validate_files`.
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
    return work.done([(None, blocks)], output, faults, watched=_Watched(progress, first.lines * len(paths)))


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
    notes: FileNotes = field(default_factory=FileNotes)
    cells: bool = False

    @classmethod
    def begun(
        cls,
        policy: Policy | None,
        scripts: Sequence[str],
        may_copy: str | None,
        tokenizer: str | None,
    ) -> _Work:
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

    def told(self, segments: Segments, before: int) -> None:
        """Gather what is known of the columns, and what is to be said."""
        self.measures.update(segments.measures)
        self.notes.add(segments.notes, before)

    def done(
        self,
        files: Iterable[tuple[Path | None, Iterator[pl.DataFrame]]],
        output: str | Path | None,
        faults: tuple[str, ...],
        *,
        watched: _Watched,
    ) -> Validation:
        """Judge the blocks of each file, two at a time and in order, and write them."""
        judged_blocks = chain.from_iterable(self._judged(blocks, path) for path, blocks in files)
        tally = Tally()
        info = valid_info(self.policy, self.scripts, self.tokenizer)
        sink = None if output is None else Sink(Path(output))
        if sink is None:
            for frame in watched(judged_blocks):
                tally.add(frame)
            self._said_of_all(tally)
        else:
            with sink:
                for frame in watched(judged_blocks):
                    tally.add(frame)
                    sink.write(frame)
                self._said_of_all(tally)
                sink.finish({**self.measures, info.name: info}, self.notes.told)
        return Validation.made(tally, self.policy.invalid, info.signature, faults=faults, notes=self.notes.told)

    def _said_of_all(self, tally: Tally) -> None:
        self.notes.add(missing_note(tally.missing, cells=self.cells), 0)
        if tally.n and not tally.sourced:
            self.notes.add([NO_SOURCE], 0)

    def _judged(self, blocks: Iterator[pl.DataFrame], path: Path | None) -> Iterator[pl.DataFrame]:
        rows = 0
        with ThreadPoolExecutor(2) as pool:
            waiting: deque[Future[pl.DataFrame]] = deque()
            for frame in chain(blocks, [None] * _AHEAD):
                if frame is not None:
                    waiting.append(pool.submit(self._judge, frame, rows, path))
                    rows += frame.height
                if len(waiting) >= _AHEAD or (frame is None and waiting):
                    yield waiting.popleft().result()

    def _judge(self, frame: pl.DataFrame, before: int, path: Path | None) -> pl.DataFrame:
        try:
            return judged(frame, self.policy, self.scripts, may_copy=self.may_copy, tokenizer=self.tokenizer)
        except InputError as error:
            raise moved(error, before).located(path) from error


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
        work.told(segments, before)
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
