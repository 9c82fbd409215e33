"""Schemas of experiments that measure searches and answers on saved questions."""

from __future__ import annotations

from pydantic import Field, model_validator

from annotarium.domains.trainables.schemas import Words
from annotarium_schemas.ranking_experiments import ExperimentParameters, ExperimentReport, Key, Kind
from annotarium_schemas.search import SearchDefaults, SearchParams
from annotarium_schemas.shape import Command, Damaged, Shape


class NewRankingExperiment(Command):
    """A new experiment; without a label, one is generated."""

    kind: Kind = "ranking"
    label: Words = ""
    parameters: ExperimentParameters = Field(default_factory=ExperimentParameters)
    email_notification: bool = False

    @model_validator(mode="after")
    def _parameters_are_those_of_the_kind(self) -> NewRankingExperiment:
        other = "answers" if self.kind == "ranking" else "ranking"
        if getattr(self.parameters, other) is not None:
            raise ValueError(f"an experiment of the kind {self.kind} has no parameters.{other}")
        return self


class RankingExperimentPatch(Command):
    """Changes of an experiment; absent fields stay unchanged. Other parameters make the report outdated."""

    label: Words | None = None
    parameters: ExperimentParameters | None = None
    favorite: bool | None = None
    email_notification: bool | None = None


class RankingExperimentRead(Shape):
    """An experiment with the report of its last run. `timestamp` and `duration` are in ms."""

    name: str
    label: str
    kind: Kind
    parameters: ExperimentParameters
    job_id: str | None = None
    running: bool
    uptodate: bool
    """The report is that of these parameters and of the present judgements."""
    timestamp: int
    duration: int
    favorite: bool
    email_notification: bool
    quality: float | None = None
    """Main figure of the best configuration: nDCG@10, or token F1 of answers."""
    best: str | None = None
    report: ExperimentReport | None = None
    created_by: str
    created_date: str
    modified_date: str
    damaged: Damaged = None


class QuestionFigures(Shape):
    """The figures of one question by configuration; `answers` are the beginnings of its answers."""

    identifier: str
    text: str
    figures: dict[str, dict[str, float]]
    answers: dict[str, str] = Field(default_factory=dict)
    difference: float
    """Main figure of the best configuration minus that of the baseline."""


class QuestionFiguresPage(Shape):
    """A page of the questions of a report."""

    questions: list[QuestionFigures]
    total: int


class CostEstimate(Shape):
    """What a run would do: numbers of questions, configurations, searches, answers, and calls to servers.

    `calls`: at most so many calls to servers, such as those of language models; they may cost money.
    `limited`: there are more questions than those that the limits allow.
    """

    questions: int
    configurations: int
    searches: int
    answers: int
    calls: int
    limited: bool


class MakeDefault(Command):
    """The configuration of the report that becomes the project's default of searching."""

    configuration: Key


class ChangedDefault(Shape):
    """The project's default of searching and the former one; null = full text."""

    search_defaults: SearchDefaults | None
    former: SearchDefaults | None


class ComparedSearches(Command):
    """Two searches to compare on the judged questions; each question replaces their query."""

    searches: list[SearchParams] = Field(min_length=2, max_length=2)


class ComparedQuestion(Shape):
    """The figures of the two searches for one question; `difference` of nDCG@10, second minus first."""

    identifier: str
    text: str
    figures: list[dict[str, float]]
    difference: float


class ComparedFigure(Shape):
    """A figure of the two searches: means, difference (second minus first) with its 95 % interval, and p of a paired
    permutation test.
    """

    name: str
    means: list[float]
    difference: float
    ci: list[float]
    p: float


class SearchComparison(Shape):
    """Two searches on the judged questions.

    `perQuestion`: those with the greatest differences first; `judged` counts all. With many questions, a job computes
    it: then only `jobId` is present, and the result of the job has this form.
    """

    judged: int = 0
    overall: list[ComparedFigure] = Field(default_factory=list)
    per_question: list[ComparedQuestion] = Field(default_factory=list)
    job_id: str | None = None
