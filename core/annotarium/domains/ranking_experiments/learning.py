"""Learns a reranker from judged passages, and measures it on questions that it did not learn from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from annotarium.domains.ranking_experiments.configurations import LEARNED, SearchConfiguration
from annotarium.domains.ranking_experiments.judged_passages import (
    FIGURES,
    FoundRange,
    JudgedQuestion,
    Matches,
    figures_of,
    grade_of,
    matches_of,
)
from annotarium.domains.ranking_experiments.report import SIGNIFICANT, Measured
from annotarium.domains.segments.answering import RERANKED
from annotarium.registry import get_registry
from annotarium.registry.defaults import component_defaults
from annotarium.search.ranking_quality import assign_folds, sign_flip_p
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.learning_reranker import LearningReranker, RankingSample
from annotarium_plugins.base.rag_context_builder import Passage

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MIN_QUESTIONS = 20
"""With fewer judged questions nothing is learned."""
LEARNED_FROM = 2_000
"""Maximum number of questions that are learned from at once, at even distances."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The first segments of a ranking as a learner sees them: features, grades, and what to measure."""

    features: npt.NDArray[np.float32]
    grades: npt.NDArray[np.float32]
    matches: Matches


@dataclass(frozen=True)
class Learned:
    """A learned reranker as part of a report; `configuration` and `values` (held out) only if it is used."""

    report: dict[str, Any]
    configuration: SearchConfiguration | None = None
    values: npt.NDArray[np.float64] | None = None


def learning_component() -> str:
    """Return the name of the component that learns."""
    return component_defaults().learning_reranker.name


def _build(parameters: dict[str, Any]) -> LearningReranker[Any]:
    component = get_registry().build("reranker", learning_component(), parameters)
    assert isinstance(component, LearningReranker)
    return component


def base_of(configurations: Sequence[SearchConfiguration], measured: Measured) -> int:
    """Return the place of the best search that no reranker reorders."""
    plain = [place for place, one in enumerate(configurations) if not one.reranker and not one.plan]
    means = measured.main.mean(axis=0)
    return max(plain, key=lambda place: (means[place], -place))


def candidates_of(question: JudgedQuestion, passages: Sequence[Passage], language: str) -> Candidates:
    """Return what is learned and measured from the ranking of a question."""
    import numpy as np

    ranges = [FoundRange(one.document_id, one.start, one.end) for one in passages]
    rows = _build({}).features(question.text, passages[:RERANKED], language)
    grades = [grade_of(one, question.judgements) for one in ranges[:RERANKED]]
    return Candidates(
        np.asarray(rows, dtype=np.float32),
        np.asarray(grades, dtype=np.float32),
        matches_of(ranges, question.judgements),
    )


def learn(
    candidates: Sequence[Candidates],
    measured: Measured,
    base: SearchConfiguration,
    *,
    folds: int,
    seed: int,
    report_progress: Callable[[], None],
) -> Learned:
    """Learn on the questions of the other folds and measure on those of each fold; then learn from all questions.

    The result is used if its main figure is higher than that of the best other configuration with p < 0.05.
    """
    import numpy as np

    if len(candidates) < max(MIN_QUESTIONS, folds):
        return Learned({"used": False, "reason": "fewQuestions"})
    part = assign_folds(len(candidates), folds, seed)
    values = np.zeros((len(candidates), len(FIGURES)))
    try:
        for fold in range(folds):
            report_progress()
            parameters = _fit(one for one, own in zip(candidates, part, strict=True) if own != fold)
            trained = _build(parameters)
            for place in map(int, np.flatnonzero(part == fold)):
                values[place] = figures_of(candidates[place].matches, _order(candidates[place], trained))
        final = _fit(candidates)
    except ComponentError:
        return Learned({"used": False, "reason": "nothingToLearn"})
    best = int(np.argmax(measured.main.mean(axis=0)))
    difference = float((values[:, 0] - measured.main[:, best]).mean())
    p = sign_flip_p(measured.main[:, best], values[:, 0], seed)
    used = difference > 0 and p < SIGNIFICANT
    report = {
        "used": used,
        "reason": "better" if used else "notBetter",
        "base": base.key,
        "folds": folds,
        "weights": final,
        "heldOut": {name: round(float(value), 4) for name, value in zip(FIGURES, values.mean(axis=0), strict=True)},
        "against": measured.keys[best],
        "difference": round(difference, 4),
        "p": round(p, 4),
    }
    if not used:
        return Learned(report)
    configuration = replace(base, key=LEARNED, reranker=learning_component(), reranker_parameters=final)
    return Learned(report, configuration, values)


def _fit(candidates: Iterable[Candidates]) -> dict[str, Any]:
    given = list(candidates)
    step = max(1, -(-len(given) // LEARNED_FROM))
    return _build({}).fit([RankingSample(one.features.tolist(), one.grades.tolist()) for one in given[::step]])


def _order(one: Candidates, trained: LearningReranker[Any]) -> list[int]:
    """Return the places of a ranking with the first ones reordered; equal scores keep their order."""
    scores = trained.score(one.features.tolist())
    first = sorted(range(len(scores)), key=lambda place: -scores[place])
    return [*first, *range(len(first), one.matches.size)]
