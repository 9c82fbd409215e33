"""Measures answers: every answerer on every question with known answers, through the path that users get.

Answerers that call a server (language models) are limited in the number of calls, in their rate and in their cost.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from annotarium.access.call import ProjectCall
from annotarium.content.plans.question_answering import question_answering_setup
from annotarium.domains.ranking_experiments import repository
from annotarium.domains.ranking_experiments.answer_quality import ANSWER_FIGURES, citation_figures, text_figures
from annotarium.domains.ranking_experiments.configurations import NOT_QUESTIONS
from annotarium.domains.ranking_experiments.judged_passages import FoundRange, JudgedQuestion
from annotarium.domains.ranking_experiments.questions_with_answers import answered_question_ids
from annotarium.domains.ranking_experiments.ranking_run import measuring_progress
from annotarium.domains.ranking_experiments.report import Measured, Outcome, measured_report, result_rows
from annotarium.domains.ranking_experiments.schemas import CostEstimate
from annotarium.domains.segments.question_answering import QuestionRequest, answer_question, require_answerer
from annotarium.errors import InvalidInput, ServiceUnavailable
from annotarium.jobs.context import JobContext
from annotarium.registry import get_registry
from annotarium.search.params import SearchParams
from annotarium_plugins.base.question_answerer import QuestionAnswerer
from annotarium_schemas.messages import message
from annotarium_schemas.ranking_experiments import MAX_ANSWER, AnswersGrid, ExperimentParameters

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DEFAULT_ANSWERER = "default"
"""Key of the answerer in use."""
FOLDS = 5
MAX_FAILURES = 5
"""Number of answers of one answerer that may fail one after the other; then the run ends."""
_PAUSE = 0.2
"""Longest pause in seconds between two checks whether the job was cancelled."""


def answerers_of(grid: AnswersGrid) -> list[str]:
    """Return the answerers by name, the baseline first; empty = the one in use."""
    return list(dict.fromkeys(grid.answerers or [""]))


def require_answerers(call: ProjectCall, grid: AnswersGrid) -> list[bool]:
    """Return for each answerer whether its answers are calls to a server.

    Raises:
        InvalidInput: there is no such answerer, it cannot run, or the limit allows no call.
        AccessDenied: the caller may not use one.
    """
    call.access.require("useSearch")
    found = []
    for name in answerers_of(grid):
        try:
            answerer = question_answering_setup(call.session, call.project, name).question_answerer
        except InvalidInput as error:
            raise InvalidInput(error.message, fix=error.fix, details=_details(error.message, "answerers")) from error
        require_answerer(call, answerer, name)
        component = get_registry().component_class("questionAnswerer", answerer.name)
        found.append(issubclass(component, QuestionAnswerer) and component.calls_server)
    if any(found) and grid.max_calls < sum(found):
        problem = message("wrong.noCalls", "The limit on calls allows none, but a language model is to answer")
        raise InvalidInput(problem, details=_details(problem, "maxCalls"))
    return found


def _details(problem: str, name: str) -> list[dict[str, Any]]:
    return [{"field": f"parameters.answers.{name}", "message": problem}]


def estimate_answers(call: ProjectCall, grid: AnswersGrid) -> CostEstimate:
    """Return what a run would do; raises as `require_answerers`."""
    calling = require_answerers(call, grid)
    known = len(answered_question_ids(call))
    count = _question_limit(grid, calling, known)
    return CostEstimate(
        questions=count,
        configurations=len(calling),
        searches=2 * count * len(calling),
        answers=count * len(calling),
        calls=count * sum(calling),
        limited=count < known,
    )


def _question_limit(grid: AnswersGrid, calling: Sequence[bool], known: int) -> int:
    most = min(known, grid.max_questions)
    return min(most, grid.max_calls // sum(calling)) if any(calling) else most


def sample_of(ids: Sequence[int], count: int, seed: int) -> list[int]:
    """Return a random sample in the order of the ids; the same seed gives the same one."""
    import numpy as np

    if count >= len(ids):
        return list(ids)
    return [ids[place] for place in sorted(np.random.default_rng(seed).choice(len(ids), count, replace=False))]


@dataclass
class _Answered:
    """What is counted of one answerer."""

    seconds: float = 0.0
    calls: int = 0
    cost: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    failures: int = 0


def run_answers(context: JobContext, project_name: str, parameters: ExperimentParameters) -> Outcome:
    """Measure the answerers.

    Raises:
        ServiceUnavailable: an answerer failed `MAX_FAILURES` times one after the other.
    """
    grid = parameters.answers or AnswersGrid()
    with context.open(project_name, write=False) as call:
        calling = require_answerers(call, grid)
        known = answered_question_ids(call)
    ids = sample_of(known, _question_limit(grid, calling, len(known)), grid.seed)
    run = AnswersRun(context, project_name, grid, calling)
    measured, kept = run.measure(ids)
    report = measured_report(measured, folds=FOLDS, seed=grid.seed)
    for one, counted in zip(report["configurations"], run.counted, strict=True):
        names = ("toldRight", "toldWrong", "notToldRight", "notToldWrong", "failed")
        one |= {name: counted.counts[name] for name in names}
        one |= {"calls": counted.calls, "cost": round(counted.cost, 6)}
    skipped = {"limit": len(known) - len(ids), "cost": run.left_by_cost}
    skipped["unreadable"] = len(ids) - run.left_by_cost - len(kept)
    report |= {"questions": len(known), "judged": len(kept), "skipped": {k: v for k, v in skipped.items() if v}}
    results = result_rows(measured, kept, report["best"])
    for row, answers in zip(results, run.answers, strict=True):
        row["answers"] = answers
    return Outcome(report, results)


class AnswersRun:
    """Asks the questions.

    Attributes:
        counted: by answerer.
        answers: by question and answerer, the beginnings of the answers.
        left_by_cost: number of questions that were not asked any more, because the limit of cost was reached.
    """

    def __init__(self, context: JobContext, project_name: str, grid: AnswersGrid, calling: Sequence[bool]) -> None:
        self._context, self._project, self._grid = context, project_name, grid
        self._answerers, self._calling = answerers_of(grid), calling
        self.counted = [_Answered() for _ in self._answerers]
        self.answers: list[list[str]] = []
        self.left_by_cost = 0
        self._next_call = 0.0

    def measure(self, ids: Sequence[int]) -> tuple[Measured, list[int]]:
        """Return the figures, and the questions that they are of."""
        import numpy as np

        values: npt.NDArray[np.float32] = np.zeros(
            (len(ids), len(self._answerers), len(ANSWER_FIGURES)), dtype=np.float32
        )
        kept: list[int] = []
        for number, question_id in enumerate(ids):
            if self._grid.max_cost and sum(one.cost for one in self.counted) >= self._grid.max_cost:
                self.left_by_cost = len(ids) - number
                break
            with self._context.open(self._project, write=False) as call:
                loaded = repository.load_questions(call, [question_id], answers=True)
            if not loaded or not (loaded[0].answers or loaded[0].unanswerable):
                continue
            self.answers.append([])
            for place in range(len(self._answerers)):
                self._report_progress(number, len(ids))
                values[len(kept), place] = self._ask(place, loaded[0], number, len(ids))
            kept.append(question_id)
        if not kept:
            raise InvalidInput(message("none.answeredQuestions", "No saved question has a known answer"))
        keys = [name or DEFAULT_ANSWERER for name in self._answerers]
        settings = [{"answerer": name} for name in self._answerers]
        seconds = [one.seconds for one in self.counted]
        return Measured(keys, keys, settings, seconds, ANSWER_FIGURES, values[: len(kept)].astype(np.float64)), kept

    def _report_progress(self, number: int, count: int) -> None:
        self._context.progress(number, count, measuring_progress(number, count))

    def _ask(self, place: int, question: JudgedQuestion, number: int, count: int) -> tuple[float, ...]:
        counted, calls = self.counted[place], self._calling[place]
        if calls:
            self._wait_for_call(number, count)
        begin = time.monotonic()
        with self._context.open(self._project, write=False) as call:
            language = call.project.lang
            params = SearchParams(query=question.text, simple=True, query_filter=NOT_QUESTIONS, by_default=True)
            request = QuestionRequest(question.text, self._answerers[place])
            answer = answer_question(call, params, request, with_highlights=False)["answerDetails"]
        counted.seconds += time.monotonic() - begin
        counted.calls += calls and bool(answer["passages"])
        counted.cost += answer["usage"]["cost"]
        self._note_failure(counted, answer["error"])
        return self._figures(counted, question, answer, language)

    def _wait_for_call(self, number: int, count: int) -> None:
        """Wait until the next call to a server is allowed."""
        while (left := self._next_call - time.monotonic()) > 0:
            time.sleep(min(left, _PAUSE))
            self._report_progress(number, count)
        self._next_call = time.monotonic() + 60 / self._grid.calls_per_minute

    @staticmethod
    def _note_failure(counted: _Answered, error: dict[str, Any] | None) -> None:
        counted.failures = counted.failures + 1 if error is not None else 0
        if error is not None and counted.failures >= MAX_FAILURES:
            raise ServiceUnavailable(
                message("answer.failing", "The answerer fails again and again: {why}", why=error["message"]),
                cause=error["cause"],
                fix=error["fix"],
            )

    def _figures(
        self, counted: _Answered, question: JudgedQuestion, answer: dict[str, Any], language: str
    ) -> tuple[float, ...]:
        told = bool(answer["told"]) and bool(answer["text"].strip()) and answer["error"] is None
        if answer["error"] is not None:
            counted.counts["failed"] += 1
        else:
            right = told == bool(question.answers)
            counted.counts[("told" if told else "notTold") + ("Right" if right else "Wrong")] += 1
        self.answers[-1].append(answer["text"][:MAX_ANSWER])
        passages = {one["number"]: one for one in answer["passages"]}
        cited = [passages[one] for one in sorted({one["passage"] for one in answer["citations"]}) if one in passages]
        ranges = [FoundRange(one["documentIdentifier"], one["start"], one["end"]) for one in cited]
        found = text_figures(answer["text"], told=told, answers=question.answers, language=language)
        if answer["error"] is not None:
            found = (0.0, 0.0, 0.0)
        return (*found, *citation_figures(ranges, question.judgements))
