"""The stability audit in words: whether the sentences there are suffice, and how many would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from equiglot.audit._words import counted, listed
from equiglot.audit.answers import MetricAnswer, metric_name

__all__ = ["TIED", "Outcome", "stability_answer", "stability_headline"]

TIED = "languages tie over all sentences, so there is no order to agree with"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What samples of one metric and model show."""

    metric: str
    model: str
    winners: bool
    tied: bool
    total: int
    needed: int | None
    """The sentences shown to be enough, at most half of the total."""
    seeming: int | None
    """The size from which on enough of the seeds agree, whether or not their interval shows it."""
    half: int | None
    """The largest size of at most half the sentences at which there is something to agree with."""
    agreeing: int
    """Samples of ``half`` that agree with the whole."""
    seeds: int
    refuted: bool
    """Whether the interval at ``half`` lies below the share that must agree."""
    too_few: bool
    """Whether there are so few sentences that half of them are no sample."""
    too_few_seeds: bool
    """Whether even samples that all agree would show nothing."""

    @property
    def why(self) -> str:
        """Why no size is shown to be enough."""
        if self.tied:
            return TIED
        if self.too_few:
            return f"{counted(self.total, 'sentence')} are too few to tell"
        if self.refuted:
            return f"samples of half the {self.total:,} sentences still disagree with the whole"
        if self.too_few_seeds:
            return f"{self.seeds} samples of a size can't show it, even where all agree"
        return f"at no size up to half of the {self.total:,} sentences is it shown that enough samples agree"


def stability_answer(own: Sequence[Outcome]) -> MetricAnswer:
    """Whether the sentences are enough for one metric in every model."""
    one, several = own[0], len(own) > 1
    name = metric_name(one.metric)
    total = counted(one.total, "sentence")
    verb = "Is" if one.total == 1 else "Are"
    question = f"{verb} {total} enough for the {_what(one)} by {name}?"

    def where(found: Sequence[Outcome]) -> str:
        return f" in {len(found)} of {len(own)} models ({listed([o.model for o in found])})" if several else ""

    if tied := [o for o in own if o.tied]:
        return MetricAnswer(one.metric, question, "can't tell", f"{TIED[0].upper()}{TIED[1:]}{where(tied)}.")
    if one.too_few:
        why = f"{total} {'is' if one.total == 1 else 'are'} too few to tell."
        return MetricAnswer(one.metric, question, "can't tell", why, "Score a hundred sentences or more.")
    if refuted := [o for o in own if o.refuted]:
        fix = f"Score more than {total}, or call the closest ones equal."
        return MetricAnswer(one.metric, question, "no", f"It needs more{where(refuted)}: {_agreeing(refuted)}.", fix)
    agreeing = _agreeing(own)
    needed = _all_known([o.needed for o in own])
    if needed is not None:
        models = f" in each of {len(own)} models" if several else ""
        settled = (
            f"About {counted(needed, 'sentence')} are: samples of that size and above agree with the whole{models}"
        )
        return MetricAnswer(one.metric, question, "yes", f"{settled} ({agreeing}).")
    if one.too_few_seeds:
        least = f"{_seemingly(own)}; {one.seeds} samples of a size can't show that so many are enough ({agreeing})."
        fix = "Draw more samples of each size (--seeds 0-199)."
        return MetricAnswer(one.metric, question, "can't tell", least, fix)
    unsure = [o for o in own if o.needed is None]
    why = f"It may need more{where(unsure)}: {_agreeing(unsure)}."
    return MetricAnswer(one.metric, question, "can't tell", why, f"Score more than {total}.")


def stability_headline(metrics: Mapping[str, Sequence[Outcome]]) -> str:
    """How many sentences each metric needs, in the model that needs most."""
    one = next(iter(metrics.values()))[0]
    groups: dict[str, list[str]] = {}
    for metric, own in metrics.items():
        groups.setdefault(_needs(own), []).append(metric_name(metric))
    said = [form.format(listed(names), s="s" if len(names) == 1 else "") for form, names in groups.items()]
    return f"Sentences that the {_what(one)} needs: {'; '.join(said)}."


def _needs(own: Sequence[Outcome]) -> str:
    """One metric's part of the headline, with places for its name and the verb's ending."""
    one = own[0]
    needed = _all_known([o.needed for o in own])
    if any(o.tied for o in own):
        return "by {} languages tie, so there is none"
    if one.too_few:
        return f"by {{}} it can't be told from {counted(one.total, 'sentence')}"
    if any(o.refuted for o in own):
        return f"{{}} need{{s}} more than the {one.total:,} there are"
    if needed is not None:
        return f"{{}} need{{s}} about {needed:,}"
    if one.too_few_seeds:
        seeming = _all_known([o.seeming for o in own])
        least = (
            f"at least {seeming:,}"
            if seeming and seeming <= one.total / 2
            else f"over half of the {one.total:,} there are"
        )
        return f"{{}} need{{s}} {least}, and {one.seeds} samples can't show how many are enough"
    return f"{{}} need{{s}} over half of the {one.total:,} there are, and whether these are enough can't be told"


def _seemingly(own: Sequence[Outcome]) -> str:
    seeming = _all_known([o.seeming for o in own])
    if seeming is None or seeming > own[0].total / 2:
        return f"It needs over half of the {own[0].total:,} there are"
    return f"It needs at least {seeming:,}"


def _agreeing(own: Sequence[Outcome]) -> str:
    samples = f"{sum(o.agreeing for o in own):,} of {sum(o.seeds for o in own):,} samples"
    return f"at {counted(own[0].half or 0, 'sentence')} {samples} agree with the whole"


def _all_known(sizes: Sequence[int | None]) -> int | None:
    """The largest, where all are known."""
    known = [n for n in sizes if n is not None]
    return max(known) if len(known) == len(sizes) else None


def _what(one: Outcome) -> str:
    return "winner against every translation" if one.winners else "order of languages"
