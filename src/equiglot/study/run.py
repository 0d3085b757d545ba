"""Run a study: read, romanise, profile, score, audit, normalise, report.

The results folder can be taken up again after any stop: a finished stage lies in ``stages/`` under a name that holds a
digest of everything it was made from, and within a stage each text's score is looked up by content in the user's cache.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from difflib import get_close_matches
from hashlib import blake2b, sha256
from pathlib import Path

import polars as pl

from equiglot import __version__
from equiglot.engine import Progress, silent
from equiglot.errors import InputError
from equiglot.quality import NAMES, score
from equiglot.quality.scorer import Options
from equiglot.quality.scoring import READERS
from equiglot.study.answer import answer_script
from equiglot.study.config import StudyConfig
from equiglot.study.profile import profile
from equiglot.study.reading import open_table
from equiglot.study.results import SEGMENTS_FILE, Results, write_results
from equiglot.table import Segments, read_segments, require_folder, write_segments
from equiglot.text import romanize

__all__ = ["run_study"]


def run_study(config: StudyConfig, folder: Path, *, progress: Progress = silent) -> Results:
    """Run the study, or what is left of it.

    Raises:
        InputError: the table or a setting cannot be used.
    """
    require_folder(folder)
    stages = folder / "stages"
    brought = [metric for metric in config.metrics if metric not in NAMES]
    segments = open_table(
        config.data,
        columns=config.columns,
        language=config.language,
        quotes=config.quotes,
        human=config.human,
        scores=brought,
        lower_is_better=config.lower_is_better,
    )
    read_from = (
        sha256(config.data.read_bytes()).hexdigest(),
        config.columns,
        config.language,
        config.quotes,
        config.human,
        brought,
        config.lower_is_better,
    )
    if config.romanize:
        scheme, reference = config.romanize, config.romanize_reference
        segments = _kept(
            stages / "romanized",
            (*read_from, scheme, reference),
            lambda: romanize(segments, scheme, reference=reference, progress=progress),
        )
    missing = [metric for metric in config.metrics if metric not in segments.measures]
    _require_read(config, missing)
    for metric in missing:
        _require_not_brought(segments, metric, config.data)
        segments = _scored(segments, metric, _options(config, metric), progress)
    segments, table = _profile(segments, config, progress)
    if config.parallel:
        parallel = open_table(config.parallel, language=config.language, quotes=config.quotes)
        if config.romanize:
            parallel = romanize(parallel, config.romanize, reference=config.romanize_reference, progress=progress)
        table = _profile(parallel, config, progress)[1]
    answers = {}
    for done, metric in enumerate(config.metrics):
        progress("judging metrics", done, len(config.metrics))
        answers[metric] = answer_script(
            segments,
            metric,
            options=_options(config, metric),
            raters=config.raters,
            severity=config.severity,
            seed=config.seed,
            resamples=config.resamples,
            permutations=config.permutations,
            normalized=f"{SEGMENTS_FILE}, column {metric}_qn",
            progress=progress,
        )
    return write_results(folder, config, segments=segments, answers=answers, profile=table)


def _require_not_brought(segments: Segments, metric: str, path: Path) -> None:
    """A column that is nearly the metric's is what the user means; to score anew instead would be another number."""
    same = [name for name in segments.frame.columns if name.casefold() == metric.casefold()]
    if metric in same:
        raise InputError("the column holds no number", path=path, column=metric, fix="fill it in, or take it out")
    if same:
        raise InputError(
            f"there is no column '{metric}', but one '{same[0]}'",
            path=path,
            fix=f"name it as the file does (--metric {same[0]}), or rename it to have {metric} computed",
        )


def _options(config: StudyConfig, metric: str) -> Options:
    """What the study says of how this metric is computed."""
    return Options(**{key: getattr(config, key) for key, names in READERS.items() if metric.startswith(names)})


def _require_read(config: StudyConfig, scored: list[str]) -> None:
    """Raise for a setting that no metric reads which is scored here: a mistake that would go unseen."""
    for key, names in READERS.items():
        if getattr(config, key) is not None and not any(metric.startswith(names) for metric in scored):
            fix = f"leave it out, or have {' or '.join(names)} scored (metrics)"
            raise InputError(f"'{key}' is given, and no metric that is scored here reads it", fix=fix)


def _scored(segments: Segments, metric: str, options: Options, progress: Progress) -> Segments:
    """The table with a metric that it did not bring; who meant a column of theirs is told which there are.

    Raises:
        InputError: the metric can't be computed on this table.
    """
    try:
        return score(segments, [metric], metric_model=options.metric_model, layer=options.layer, progress=progress)
    except InputError as error:
        columns = _numbers(segments)
        names = {name.casefold(): name for name in columns}
        near = [name for low, name in names.items() if metric in low]
        near += [names[low] for low in get_close_matches(metric, names) if names[low] not in near]
        problem, fix = f"there is no column '{metric}'", error.fix
        if near:
            meant = " or ".join(f"--metric {name}" for name in near[:3])
            fix = f"did you mean {meant}? ({metric} can't be computed here: {error.problem}; {fix})"
        else:
            problem += f", and {metric} can't be computed here: {error.problem}"
        raise InputError(problem, fix=fix, path=error.path, row=error.row, column=error.column) from error


def _numbers(segments: Segments) -> list[str]:
    """The columns that could be scores."""
    frame = segments.frame
    return [c for c in frame.columns if c in segments.measures or (frame[c].dtype.is_numeric() and c != "human")]


def _profile(segments: Segments, config: StudyConfig, progress: Progress) -> tuple[Segments, pl.DataFrame]:
    return profile(
        segments,
        config.tokenizers,
        language_model=config.language_model,
        bos=config.bos,
        dtype=config.dtype,
        seed=config.seed,
        resamples=config.resamples,
        progress=progress,
    )


def _kept(stem: Path, made_from: object, make: Callable[[], Segments]) -> Segments:
    """The table of a finished stage, made now if it isn't there."""
    digest = blake2b(json.dumps([__version__, made_from]).encode(), digest_size=8).hexdigest()
    path = stem.with_name(f"{stem.name}-{digest}.parquet")
    if not path.is_file():
        made = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_segments(made, path)
    return read_segments(path)
