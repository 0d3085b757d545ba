"""Parity calibration: what romanisation took from a score, predicted from facts of the text (paper 1, table 5).

For every language in turn a regressor is fitted on the *other* languages, from the features of the romanised row to
the gap native score - romanised score of the same translation, and its prediction is added to the romanised scores of
the language that was left out:

    calibrated_i = romanised_i + f(features_i)          f has seen no row of i's language

Unlike the corrections of a cell this is no map of the score: two translations with equal scores may part, so it can
change the order within a language, for the better (P2) or for the worse. With rho Spearman's with people:

    recovered = 100 (rho_cal - rho_raw) / (rho_nat - rho_raw)          per cent, only where rho_nat > rho_raw

``ridge`` is scikit-learn's Ridge (alpha 1) on standardised features, ``boosting`` its HistGradientBoostingRegressor
with the library's defaults and no early stop. Scaling too is learned on the other languages alone. Intervals are
percentile bootstrap over the rows of the language left out, with the regressor as fitted. The paper names neither
regressor, features nor intervals.

A constant added to a language changes no order, so whether calibration helps *within* a language is whether the
predicted gaps go with the true ones (``rho_gap``); the paper explains Marathi by the sign of its mean gap, and both
are reported: ``gap_train`` and ``gap_heldout``, the mean gaps of the languages trained on and of the one left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.engine import Progress, silent
from equiglot.measures import MeasureInfo, result_table, signature
from equiglot.normalize._cells import located, scores_of
from equiglot.normalize._pairs import rated_pairs
from equiglot.normalize._parity_measures import Fold, Reading, Row, measure_fold, measure_means
from equiglot.normalize._parity_words import headline
from equiglot.normalize.features import feature_columns
from equiglot.table import Segments

__all__ = ["REGRESSORS", "ParityCalibration", "calibrate_parity"]

Vector = NDArray[np.float64]


def _ridge(seed: int) -> Any:
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), Ridge(alpha=1.0, random_state=seed))


def _boosting(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    settings: dict[str, Any] = {"early_stopping": False, "random_state": seed}
    return HistGradientBoostingRegressor(**settings)


_FEWEST = 20
"""Rated translations in both conditions that a language must have."""

REGRESSORS: Mapping[str, Callable[[int], Any]] = {"ridge": _ridge, "boosting": _boosting}
"""The regressors, from a seed to one that is not fitted yet."""


@dataclass(frozen=True, slots=True)
class ParityCalibration:
    """What was found.

    Attributes:
        metric: the score that was calibrated.
        features: by name, in order.
        headline: the answer in words.
        languages: a result table by language left out and regressor: ``rho_raw``, ``rho_cal``, ``rho_nat``,
            ``cal_gain``, ``recovered``, ``gap_train``, ``gap_heldout``, ``rho_gap``.
        means: the same rhos, and ``recovered``, as means over the languages, by regressor.
        segments: the table with ``<metric>_ridge`` and ``<metric>_boosting``: native rows as they are, romanised rows
            calibrated by a regressor that saw no row of their language.
        signature: of the whole calibration.
        notes: what a reader must be told.
    """

    metric: MeasureInfo
    features: tuple[str, ...]
    headline: str
    languages: pl.DataFrame
    means: pl.DataFrame
    segments: Segments
    signature: str
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything but the rows as plain values for JSON."""
        return {
            "metric": asdict(self.metric),
            "features": list(self.features),
            "headline": self.headline,
            "languages": self.languages.to_dicts(),
            "means": self.means.to_dicts(),
            "signature": self.signature,
            "notes": list(self.notes),
        }


def calibrate_parity(
    segments: Segments,
    metric: str,
    *,
    features: Sequence[str] | None = None,
    human: str = "human",
    seed: int = 0,
    resamples: int = 1000,
    progress: Progress = silent,
) -> ParityCalibration:
    """Leave each language out in turn, and calibrate it by the others.

    Args:
        segments: translations in both conditions, scored, with people's scores in ``human``.
        metric: the score column.
        features: by name; None for those of :data:`~equiglot.normalize.FEATURES` that the table gives.
        human: people's scores, larger is better.
        seed: of the regressors and of the intervals.
        resamples: of the bootstrap.
        progress: told of fits done.

    Raises:
        InputError: fewer than two languages with rated translations in both conditions; a feature that is not there.
    """
    info = segments.info(metric)
    segments.require(human, why="says how good the translations are")
    scores, scored = scores_of(segments, metric)
    with located(segments):
        facts = feature_columns(segments, features, human=human)
    names = tuple(facts.columns)
    matrix = facts.to_numpy()
    complete = facts.select(pl.all_horizontal(pl.all().is_not_null())).to_series().to_numpy()
    with located(segments):
        pairs, notes = rated_pairs(segments, metric, human, fewest=_FEWEST)
    whole = complete[pairs["romanized"].to_numpy()]
    if lost := int((~whole).sum()):
        notes.append(f"{lost:,} of {pairs.height:,} translations lack a feature and are left out.")
    pairs = pairs.filter(whole)
    languages = pairs["language"].unique(maintain_order=True).to_list()
    if len(languages) < 2:
        raise segments.error(
            f"{len(languages)} language has translations to learn from, and one is left out in turn",
            fix="give two or more languages with both conditions and people's scores",
        )
    made = signature(
        calibration="parity", metric=info.signature, features=",".join(names), human=human, seed=seed,
        resamples=resamples, sklearn=_sklearn_version(),
    )  # fmt: skip
    is_romanized = (segments.frame["condition"] == "romanized").fill_null(False)
    romanized = np.logical_and(is_romanized.to_numpy(), scored)
    spoken = segments.frame["language"]
    rows: list[Row] = []
    means: list[Row] = []
    table = segments
    for name, make in REGRESSORS.items():
        calibrated = np.where(romanized, np.nan, np.where(scored, scores, np.nan))
        measured: list[Reading] = []
        for done, language in enumerate(languages):
            progress(f"leaving languages out ({name})", done, len(languages))
            others, own = pairs.filter(pl.col("language") != language), pairs.filter(language=language)
            gaps, fitted = _gaps(others, scores), make(seed)
            fitted.fit(matrix[others["romanized"].to_numpy()], gaps)
            mine = romanized & complete & spoken.eq_missing(language).to_numpy()
            calibrated[mine] = scores[mine] + fitted.predict(matrix[mine])
            fold = _fold(own, scores, fitted.predict(matrix[own["romanized"].to_numpy()]), gaps)
            measured.append(measure_fold(fold, name, info, made, seed=seed, resamples=resamples))
        table = _with_column(table, info, name, calibrated, made)
        rows += [row for reading in measured for row in reading.rows]
        means += measure_means(measured, name, made)
    by_language, overall = result_table(rows), result_table(means)
    said = headline(info, by_language, overall)
    return ParityCalibration(info, names, said, by_language, overall, table, made, tuple(notes))


def _gaps(pairs: pl.DataFrame, scores: Vector) -> Vector:
    return scores[pairs["native"].to_numpy()] - scores[pairs["romanized"].to_numpy()]


def _fold(own: pl.DataFrame, scores: Vector, predicted: Vector, gaps: Vector) -> Fold:
    rated = own["human"].is_not_null().to_numpy()
    rows = own.filter(rated)
    return Fold(
        (rows["language"][0], rows["script"][0]),
        scores[rows["romanized"].to_numpy()],
        scores[rows["native"].to_numpy()],
        rows["human"].to_numpy(),
        predicted[rated],
        gaps,
    )


def _with_column(segments: Segments, info: MeasureInfo, regressor: str, values: Vector, made: str) -> Segments:
    column = pl.Series(values).fill_nan(None)
    reasons = [
        None if value is not None else "no score, or a feature is missing, or its language was not left out in turn"
        for value in column
    ]
    name = f"{info.name}_{regressor}"
    signed = f"{made.rpartition('|v:')[0]}|regressor:{regressor}|v:{made.rpartition('|v:')[2]}"
    replaced = name in segments.frame.columns and (
        name not in segments.measures or segments.measures[name].signature != signed
    )
    table = segments.with_measure(MeasureInfo(name, info.unit, info.direction, signed), column, reasons)
    return table.noted(f"The table had a column '{name}' already; it was replaced.") if replaced else table


def _sklearn_version() -> str:
    from importlib.metadata import version

    return version("scikit-learn")
