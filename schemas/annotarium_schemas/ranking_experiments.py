"""Experiments that measure searches and answers: their parameters and reports, which archives contain too."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from annotarium_schemas.search import SearchType
from annotarium_schemas.shape import Command, Shape

MAX_CONFIGURATIONS = 48
"""Maximum number of configurations that one experiment measures."""
MAX_VALUES = 8
"""Maximum number of values of one dimension of a grid."""
Kind = Literal["ranking", "answers"]
ComponentName = Annotated[str, StringConstraints(strip_whitespace=True, max_length=255)]
Weight = Annotated[float, Field(ge=0, le=10)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
"""Identifies a configuration within its report; made of its settings."""


class RankingGrid(Command):
    """What a ranking experiment compares: all combinations, plans, and text search, which is the baseline.

    `searchTypes`: empty = full text. `rerankers`: empty = none.
    `vectorizers`: names of sets of vectors; empty = the default one. `vectorWeights`: weights of vectors in hybrid
    searches; empty = the measured one. An empty name in `rerankers` is none. `plans`: plans that derive the search from
    the question. `learned`: also learn a reranker from the judgements. `depth`: number of segments of a ranking.
    """

    search_types: list[SearchType] = Field(default_factory=list, max_length=3)
    vectorizers: list[ComponentName] = Field(default_factory=list, max_length=MAX_VALUES)
    vector_weights: list[Weight] = Field(default_factory=list, max_length=MAX_VALUES)
    rerankers: list[ComponentName] = Field(default_factory=list, max_length=MAX_VALUES)
    learned: bool = False
    plans: list[ComponentName] = Field(default_factory=list, max_length=MAX_VALUES)
    folds: int = Field(default=5, ge=2, le=20)
    depth: int = Field(default=100, ge=10, le=500)
    seed: int = Field(default=0, ge=0, lt=2**31)


class AnswersGrid(Command):
    """What an answers experiment compares.

    `answerers`: components or plans that answer; an empty name is the one in use, which is the baseline.
    `maxQuestions`: number of questions, drawn at random if there are more. `maxCalls`: limit on the calls to servers,
    such as those of language models, `callsPerMinute` on their rate, `maxCost` on their total cost (0 = none).
    """

    answerers: list[ComponentName] = Field(default_factory=lambda: [""], min_length=1, max_length=MAX_VALUES)
    max_questions: int = Field(default=1_000, ge=1, le=10_000)
    max_calls: int = Field(default=200, ge=0, le=10_000)
    calls_per_minute: int = Field(default=30, ge=1, le=600)
    max_cost: float = Field(default=0.0, ge=0, le=1_000_000)
    seed: int = Field(default=0, ge=0, lt=2**31)


class ExperimentParameters(Command):
    """The parameters of the experiment's kind."""

    ranking: RankingGrid | None = None
    answers: AnswersGrid | None = None


MAX_ANSWER = 500
"""Code points of an answer that results contain."""
MAX_LISTED = 100
"""Maximum number of configurations in a report; more than any experiment measures."""
Share = Annotated[float, Field(ge=0, le=1)]
Difference = Annotated[float, Field(ge=-1, le=1)]
Count = Annotated[int, Field(ge=0, lt=2**53)]
Shares = Annotated[dict[str, Share], Field(max_length=MAX_LISTED)]
Interval = Annotated[list[float], Field(min_length=2, max_length=2)]
"""95 % interval from resampled questions: lower and upper bound."""
LearnedReason = Literal["better", "fewQuestions", "nothingToLearn", "notBetter"]
"""Why the learned reranker is used or not: it is better; too few questions; all candidates are alike; not better."""


class ConfigurationSettings(Shape):
    """A way to search or to answer. `vectorWeight`: absent = the measured one; `answerer`: of answers experiments."""

    search_type: SearchType = "text"
    vectorizer: str = ""
    vector_weight: Annotated[float, Field(ge=0, le=10)] | None = None
    reranker: str = ""
    reranker_parameters: dict[str, Any] = Field(default_factory=dict)
    plan: str = ""
    answerer: str | None = None


class ConfigurationFigures(Shape):
    """The mean figures of a configuration, 0 to 1; `ci`: 95 % intervals by figure.

    Rankings: nDCG@10, reciprocal rank, average precision, recall@5 and @10. Answers: token F1, exact match, share of
    answers that contain a known answer (`contained`), precision and recall of citations; and numbers of questions:
    `told` or not, right or wrong (told is right where there is an answer). `calls` to servers with their `cost`.
    """

    key: Key
    label: str
    settings: ConfigurationSettings
    ndcg: Share | None = None
    rr: Share | None = None
    ap: Share | None = None
    recall5: Share | None = None
    recall10: Share | None = None
    f1: Share | None = None
    em: Share | None = None
    contained: Share | None = None
    citation_precision: Share | None = None
    citation_recall: Share | None = None
    told_right: Count | None = None
    told_wrong: Count | None = None
    not_told_right: Count | None = None
    not_told_wrong: Count | None = None
    failed: Count | None = None
    calls: Count | None = None
    cost: Annotated[float, Field(ge=0)] | None = None
    ci: Annotated[dict[str, Interval], Field(max_length=MAX_LISTED)] = Field(default_factory=dict)
    seconds: Annotated[float, Field(ge=0)]


class Choice(Shape):
    """How the best configuration was chosen: on the questions of the other folds, measured on those of each fold.

    `heldOut` has the mean figures of these choices, `difference` their main figure minus that of the baseline, `p` is
    that of a paired permutation test; `better`: the choice is better than the baseline, `significant`: with p < 0.05.
    `picks`: questions by the configuration that was chosen for their fold. Without folds, the baseline is the best.
    """

    best: Key
    folds: Count
    held_out: Shares = Field(default_factory=dict)
    ci: Interval | None = None
    difference: Difference = 0.0
    p: Share = 1.0
    better: bool
    significant: bool
    picks: Annotated[dict[str, Count], Field(max_length=MAX_LISTED)] = Field(default_factory=dict)


class Comparison(Shape):
    """The main figure of a configuration compared with another one, question by question.

    `better`, `worse`: numbers of questions; `p`: of a paired permutation test, two-sided.
    """

    key: Key
    against: Key
    difference: Difference
    ci: Interval
    p: Share
    better: Count
    worse: Count


class LearnedRanking(Shape):
    """The reranker learned from the judgements. It is `used` only if it is better than the best other configuration.

    `base`: the configuration whose first segments it reorders. `weights` are those of the final model, by feature;
    `heldOut` and `difference` (to the best other configuration) are measured on questions it did not learn from.
    """

    used: bool
    reason: LearnedReason
    base: Key | None = None
    folds: Count = 0
    weights: Annotated[dict[str, float], Field(max_length=MAX_LISTED)] = Field(default_factory=dict)
    held_out: Shares = Field(default_factory=dict)
    against: Key | None = None
    difference: Difference | None = None
    p: Share | None = None


class ExperimentReport(Shape):
    """What a run measured.

    `questions`: those with a relevant passage (or a known answer); `judged`: those that were measured; `skipped`: the
    others by reason. The first of `figures` decides. `judgements`: mark of the judgements it was measured with.
    """

    questions: Count
    judged: Count
    skipped: Annotated[dict[str, Count], Field(max_length=MAX_LISTED)] = Field(default_factory=dict)
    figures: Annotated[list[str], Field(min_length=1, max_length=20)]
    configurations: Annotated[list[ConfigurationFigures], Field(min_length=1, max_length=MAX_LISTED)]
    baseline: Key
    best: Key
    choice: Choice
    comparisons: Annotated[list[Comparison], Field(max_length=MAX_LISTED)]
    learned: LearnedRanking | None = None
    judgements: Annotated[list[Count], Field(max_length=4)]
