"""The job that runs an experiment: every configuration on every question, through the search that users get."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from annotarium.access.call import ProjectCall
from annotarium.db.identifiers import now_ms
from annotarium.domains.ranking_experiments import repository, service
from annotarium.domains.ranking_experiments.configurations import (
    SearchConfiguration,
    params_of,
    require_configurations,
)
from annotarium.domains.ranking_experiments.judged_passages import FIGURES, FoundRange, JudgedQuestion, figures_of
from annotarium.domains.ranking_experiments.report import Measured, measured_report, result_rows
from annotarium.domains.segments.answering import search_passages
from annotarium.jobs.context import JobContext, job_function
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_schemas.messages import Message, message
from annotarium_schemas.ranking_experiments import ExperimentParameters, RankingGrid

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

BATCH = 20
"""Number of questions that are measured in one transaction."""


@job_function("run_ranking_experiment", interrupted="restarts")
def run_ranking_experiment(context: JobContext, project_name: str, experiment: str) -> None:
    """Measure all configurations and publish the report; nothing of it is visible before the end."""
    started = now_ms()
    with context.open(project_name, write=False) as call:
        row = service.require_experiment(call, experiment)
        grid = ExperimentParameters.model_validate(row.parameters).ranking or RankingGrid()
        configurations = require_configurations(call, grid)
        ids, state = repository.judged_question_ids(call), repository.judgement_state(call)
    run = RankingRun(context, project_name, configurations, grid)
    measured, measured_ids = run.measure(ids)
    report = measured_report(measured, folds=grid.folds, seed=grid.seed)
    report |= {
        "questions": len(ids),
        "judged": len(measured_ids),
        "skipped": {"unreadable": len(ids) - len(measured_ids)},
        "judgements": state,
    }
    with context.open(project_name, write=True) as call:
        row = service.require_experiment(call, experiment)
        row.report, row.uptodate, row.job_id = report, True, None
        row.timestamp, row.duration = now_ms(), now_ms() - started
        repository.replace_results(call, row, result_rows(measured, measured_ids, report["best"]))
        service.notify(call, row.name, "measured")
    context.finish(message=_summary(len(measured_ids)), result={"best": report["best"]})


def _summary(count: int) -> Message:
    return message(
        "done.measuredQuestions", "Measured on {count:,} questions", one="Measured on {count:,} question", count=count
    )


class RankingRun:
    """Measures configurations on questions."""

    def __init__(
        self,
        context: JobContext,
        project_name: str,
        configurations: Sequence[SearchConfiguration],
        grid: RankingGrid,
    ) -> None:
        self._context, self._project, self._grid = context, project_name, grid
        self._configurations = configurations

    def measure(self, ids: Sequence[int]) -> tuple[Measured, list[int]]:
        """Return the figures, and the questions that they are of: those with readable relevant passages."""
        import numpy as np

        values: npt.NDArray[np.float32] = np.zeros(
            (len(ids), len(self._configurations), len(FIGURES)), dtype=np.float32
        )
        seconds = [0.0] * len(self._configurations)
        kept: list[int] = []
        for call, question in self._questions(ids):
            for place, one in enumerate(self._configurations):
                begin = time.monotonic()
                found = ranked(call, one, question.text, self._grid.depth)
                seconds[place] += time.monotonic() - begin
                values[len(kept), place] = figures_of([_range(passage) for passage in found], question.judgements)
            kept.append(question.id)
        settings = [one.settings_json() for one in self._configurations]
        keys, labels = ([getattr(one, name) for one in self._configurations] for name in ("key", "label"))
        figures = values[: len(kept)].astype(np.float64)
        return Measured(keys, labels, settings, seconds, FIGURES, figures), kept

    def _questions(self, ids: Sequence[int]) -> Iterator[tuple[ProjectCall, JudgedQuestion]]:
        for at in range(0, len(ids), BATCH):
            with self._context.open(self._project, write=False) as call:
                for number, question in enumerate(repository.load_questions(call, ids[at : at + BATCH]), at):
                    self._context.progress(number, len(ids), _progress(number, len(ids)))
                    if any(one.grade > 0 for one in question.judgements):
                        yield call, question


def _progress(number: int, count: int) -> Message:
    return message(
        "doing.measureQuestions",
        "Measuring {number:,} of {count:,} questions",
        one="Measuring {number:,} of {count:,} question",
        number=number,
        count=count,
    )


def ranked(call: ProjectCall, configuration: SearchConfiguration, question: str, depth: int) -> list[Passage]:
    """Return the ranking of a configuration, best first, as far as the caller may read it."""
    return search_passages(call, params_of(call, configuration, question, depth))


def _range(passage: Passage) -> FoundRange:
    return FoundRange(passage.document_id, passage.start, passage.end)
