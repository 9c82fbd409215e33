"""Margin sampling: suggests first the segments where the model hesitates between two labels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, ClassVar

from pydantic import Field

from annotarium_engines.tokens import tokenize
from annotarium_plugins.base.component import Nature
from annotarium_plugins.base.suggester import Suggester, Suggestion
from annotarium_plugins.parameters import Parameters, hint
from annotarium_schemas.documents import Annotation, Category, Document

_YES = 0.5
"""Score from which on a category that does not exclude others is proposed."""


def _learner_field(default: str) -> Any:
    return Field(
        default,
        min_length=1,
        title="Learner",
        description="Learner to train.",
        json_schema_extra=hint(widget="learner"),
    )


def _minimum_score_field(default: float) -> Any:
    return Field(
        default,
        ge=0,
        le=1,
        title="Minimum score",
        description="Proposals with a lower score are hidden.",
        json_schema_extra=hint(widget="slider"),
    )


class MarginSuggesterParameters(Parameters):
    """Settings of margin sampling for annotations."""

    learner: str = _learner_field("crf")
    learner_parameters: dict[str, object] = Field(
        default_factory=dict, title="Learner settings", json_schema_extra=hint(parameters_of="learner")
    )
    minimum_score: float = _minimum_score_field(0.3)


class MarginCategorySuggesterParameters(MarginSuggesterParameters):
    """Settings of margin sampling for categories."""

    learner: str = _learner_field("sklearn_text_classifier")
    minimum_score: float = _minimum_score_field(0.1)


class _MarginSampling(Suggester[MarginSuggesterParameters]):
    @property
    def learner(self) -> tuple[str, dict[str, object]]:
        """Name and parameters of the learner from the parameters of this suggester."""
        return self.parameters.learner, dict(self.parameters.learner_parameters)

    def suggest(self, ranked: Iterable[Document], *, labels: Sequence[str]) -> Iterator[Suggestion]:
        """Yield one suggestion per segment with a proposal of at least the minimum score; see `Suggester.suggest`."""
        known = frozenset(labels)
        for document in ranked:
            suggestion = self._judge(document, known)
            if suggestion is not None:
                yield suggestion

    @abstractmethod
    def _judge(self, document: Document, labels: frozenset[str]) -> Suggestion | None: ...


class MarginSuggester(_MarginSampling):
    """Margin sampling on spans.

    The candidates of a span are its labels and "no entity", whose probability is 1 minus the sum of the labels' scores.
    `priority` is 1 - the mean over the segment's tokens of (best - second best candidate), where tokens outside all
    candidates count 1: annotating takes longer in a long segment, so it must contain more uncertainty to come first.
    `confidence` is the lowest proposed score.
    """

    title: ClassVar[str] = "Margin sampling"
    description: ClassVar[str] = "Learns from annotations and proposes the segments it is least certain about first."
    parameters_model: ClassVar[type[Parameters]] = MarginSuggesterParameters
    natures: ClassVar[tuple[Nature, ...]] = ("sequence_labelling",)

    def _judge(self, document: Document, labels: frozenset[str]) -> Suggestion | None:
        proposals: list[Annotation] = []
        doubt = 0.0
        candidates = sorted(
            (one for one in document.annotations if one.label_name in labels),
            key=lambda one: (one.start, one.end, -(one.score or 0.0)),
        )
        for (start, end), group in groupby(candidates, key=lambda one: (one.start, one.end)):
            rivals = list(group)
            scores = [one.score or 0.0 for one in rivals]
            best, second = sorted([*scores, max(0.0, 1.0 - sum(scores)), 0.0], reverse=True)[:2]
            doubt += (1.0 - min(1.0, best - second)) * len(tokenize(document.text[start:end]))
            if scores[0] >= self.parameters.minimum_score:
                proposals.append(rivals[0])
        if not proposals:
            return None
        tokens = max(1, len(tokenize(document.text)))
        confidence = min(one.score or 0.0 for one in proposals)
        return Suggestion(document, confidence, min(1.0, doubt / tokens), annotations=proposals)


class MarginCategorySuggester(_MarginSampling):
    """Margin sampling on categories.

    Exclusive categories (the default; a learner sets `properties.exclusive` to false otherwise): the best is proposed,
    `priority` is 1 - (best - second best). Otherwise all from 0.5 on, or the best alone, are proposed, and `priority`
    is derived from the category nearest to 0.5. `confidence` is the lowest proposed score.
    """

    title: ClassVar[str] = "Margin sampling (categories)"
    description: ClassVar[str] = "Learns from categories and proposes the texts it is least certain about first."
    parameters_model: ClassVar[type[Parameters]] = MarginCategorySuggesterParameters
    natures: ClassVar[tuple[Nature, ...]] = ("classification",)

    def _judge(self, document: Document, labels: frozenset[str]) -> Suggestion | None:
        ranked = sorted(
            (one for one in document.categories if one.label_name in labels), key=lambda one: -(one.score or 0.0)
        )
        if not ranked or (ranked[0].score or 0.0) < self.parameters.minimum_score:
            return None
        scores = [one.score or 0.0 for one in ranked]
        proposals: list[Category]
        if (ranked[0].properties or {}).get("exclusive", True):
            margin = scores[0] - (scores[1] if len(scores) > 1 else 0.0)
            proposals = ranked[:1]
        else:
            margin = min(abs(2 * score - 1) for score in scores)
            given = [one for one in ranked if (one.score or 0.0) >= max(_YES, self.parameters.minimum_score)]
            proposals = given or ranked[:1]
        confidence = min(one.score or 0.0 for one in proposals)
        return Suggestion(document, confidence, 1.0 - min(1.0, max(0.0, margin)), categories=proposals)
