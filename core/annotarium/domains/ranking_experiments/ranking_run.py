"""Measures searches: every configuration on every judged question, through the search that users get."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from annotarium.access.call import ProjectCall
from annotarium.domains.ranking_experiments import repository
from annotarium.domains.ranking_experiments.configurations import (
    SearchConfiguration,
    params_of,
    require_configurations,
)
from annotarium.domains.ranking_experiments.judged_passages import (
    FIGURES,
    FoundRange,
    JudgedQuestion,
    figures_of,
    matches_of,
)
from annotarium.domains.ranking_experiments.learning import Learned, base_of, candidates_of, learn
from annotarium.domains.ranking_experiments.report import Measured, Outcome, measured_report, result_rows
from annotarium.domains.segments.answering import search_passages
from annotarium.errors import Conflict
from annotarium.jobs.context import JobContext
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_schemas.messages import Message, message
from annotarium_schemas.ranking_experiments import ExperimentParameters, RankingGrid

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

BATCH = 20
"""Number of questions that are measured in one transaction."""


def run_ranking(context: JobContext, project_name: str, parameters: ExperimentParameters) -> Outcome:
    """Measure the configurations of a grid.

    Raises:
        InvalidInput: no question has a relevant passage that can be read, or a configuration cannot run any more.
    """
    grid = parameters.ranking or RankingGrid()
    with context.open(project_name, write=False) as call:
        configurations = require_configurations(call, grid)
        ids = repository.judged_question_ids(call)
        language = call.project.lang
    run = RankingRun(context, project_name, configurations, grid, language)
    measured, kept = run.measure(ids)
    learned = run.learn(kept, measured) if grid.learned else None
    if learned is not None and learned.configuration is not None:
        measured = _with_learned(measured, learned, run.seconds_of_learning)
    report = measured_report(measured, folds=grid.folds, seed=grid.seed)
    report |= {"questions": len(ids), "judged": len(kept), "skipped": {"unreadable": len(ids) - len(kept)}}
    if learned is not None:
        report["learned"] = learned.report
    return Outcome(report, result_rows(measured, kept, report["best"]))


def _with_learned(measured: Measured, learned: Learned, seconds: float) -> Measured:
    import numpy as np

    assert learned.configuration is not None and learned.values is not None
    return replace(
        measured,
        keys=[*measured.keys, learned.configuration.key],
        labels=[*measured.labels, learned.configuration.label],
        settings=[*measured.settings, learned.configuration.settings_json()],
        seconds=[*measured.seconds, seconds],
        values=np.concatenate([measured.values, learned.values[:, None, :]], axis=1),
    )


class RankingRun:
    """Measures configurations on questions."""

    def __init__(
        self,
        context: JobContext,
        project_name: str,
        configurations: Sequence[SearchConfiguration],
        grid: RankingGrid,
        language: str,
    ) -> None:
        self._context, self._project, self._grid = context, project_name, grid
        self._configurations, self._language = configurations, language
        self._rounds = 2 if grid.learned else 1
        self.seconds_of_learning = 0.0

    def measure(self, ids: Sequence[int]) -> tuple[Measured, list[int]]:
        """Return the figures, and the questions that they are of: those with readable relevant passages."""
        import numpy as np

        values: npt.NDArray[np.float32] = np.zeros(
            (len(ids), len(self._configurations), len(FIGURES)), dtype=np.float32
        )
        seconds = [0.0] * len(self._configurations)
        kept: list[int] = []
        for call, question in self._questions(ids, 0):
            for place, one in enumerate(self._configurations):
                begin = time.monotonic()
                found = ranked(call, one, question.text, self._grid.depth)
                seconds[place] += time.monotonic() - begin
                ranges = [FoundRange(passage.document_id, passage.start, passage.end) for passage in found]
                values[len(kept), place] = figures_of(matches_of(ranges, question.judgements))
            kept.append(question.id)
        settings = [one.settings_json() for one in self._configurations]
        keys, labels = ([getattr(one, name) for one in self._configurations] for name in ("key", "label"))
        return Measured(keys, labels, settings, seconds, FIGURES, values[: len(kept)].astype(np.float64)), kept

    def learn(self, ids: Sequence[int], measured: Measured) -> Learned:
        """Learn a reranker of the best search that no reranker reorders."""
        begin = time.monotonic()
        base = self._configurations[base_of(self._configurations, measured)]
        candidates = [
            candidates_of(question, ranked(call, base, question.text, self._grid.depth), self._language)
            for call, question in self._questions(ids, 1)
        ]
        if len(candidates) != len(ids):
            text = message("experiment.questionsChanged", "Questions were deleted while they were measured")
            raise Conflict(text, fix=message("fix.launchAgain", "Launch it again"))
        learned = learn(
            candidates,
            measured,
            base,
            folds=min(self._grid.folds, max(2, len(candidates))),
            seed=self._grid.seed,
            report_progress=lambda: self._context.progress(2 * len(ids), 2 * len(ids), _learning_progress(len(ids))),
        )
        self.seconds_of_learning = time.monotonic() - begin
        return learned

    def _questions(self, ids: Sequence[int], round_: int) -> Iterator[tuple[ProjectCall, JudgedQuestion]]:
        """Yield the questions with readable relevant passages, each with a call in which it is measured."""
        total = self._rounds * len(ids)
        for at in range(0, len(ids), BATCH):
            with self._context.open(self._project, write=False) as call:
                for number, question in enumerate(repository.load_questions(call, ids[at : at + BATCH]), at):
                    self._context.progress(round_ * len(ids) + number, total, measuring_progress(number, len(ids)))
                    if any(one.grade > 0 for one in question.judgements):
                        yield call, question


def measuring_progress(number: int, count: int) -> Message:
    """Progress while questions are measured."""
    return message(
        "doing.measureQuestions",
        "Measuring {number:,} of {count:,} questions",
        one="Measuring {number:,} of {count:,} question",
        number=number,
        count=count,
    )


def _learning_progress(count: int) -> Message:
    return message(
        "doing.learnRanking",
        "Learning from the judgements of {count:,} questions",
        one="Learning from the judgements of {count:,} question",
        count=count,
    )


def ranked(call: ProjectCall, configuration: SearchConfiguration, question: str, depth: int) -> list[Passage]:
    """Return the ranking of a configuration, best first, as far as the caller may read it."""
    return search_passages(call, params_of(call, configuration, question, depth))
