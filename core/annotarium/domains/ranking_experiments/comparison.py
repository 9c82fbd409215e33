"""Two searches compared on the judged questions (S-031): figures of each question and overall, with a paired test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from annotarium.access.call import ProjectCall
from annotarium.db.models import Job
from annotarium.domains.ranking_experiments import repository
from annotarium.domains.ranking_experiments.configurations import NOT_QUESTIONS
from annotarium.domains.ranking_experiments.judged_passages import FIGURES, FoundRange, figures_of, matches_of
from annotarium.domains.ranking_experiments.ranking_run import BATCH
from annotarium.domains.ranking_experiments.schemas import (
    ComparedFigure,
    ComparedQuestion,
    ComparedSearches,
    SearchComparison,
)
from annotarium.domains.segments.answering import require_reranker, search_passages
from annotarium.errors import InvalidInput
from annotarium.jobs.job_creation import start_job
from annotarium.search.params import SearchParams, check_query, params_from_request
from annotarium.search.ranking_quality import bootstrap_interval, sign_flip_p
from annotarium.search.search_defaults import default_of_request, with_defaults
from annotarium.search.search_rights import require_search_type
from annotarium_schemas.messages import message
from annotarium_schemas.search import SearchRequest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DIRECT = 100
"""Up to so many questions the request computes the comparison itself, else a job does."""
DEPTH = 100
MAX_LISTED_QUESTIONS = 1_000


def checked_searches(call: ProjectCall, body: ComparedSearches) -> list[SearchParams]:
    """Return the two searches after checking that the caller may run them.

    Raises:
        InvalidInput: a filter has a syntax error, or a reranker does not exist.
        AccessDenied: the caller may not search in this way.
    """
    call.access.require("useSearch")
    found = []
    for place, search in enumerate(body.searches):
        params = params_from_request(SearchRequest(search=search))
        check_query(params)
        require_search_type(call.access, params)
        if params.reranker:
            require_reranker(call, params.reranker, field=f"searches.{place}.reranker")
        found.append(params)
    return found


def _for_question(call: ProjectCall, params: SearchParams, question: str) -> SearchParams:
    filters = [f"+({params.query_filter})"] if params.query_filter.strip() else []
    asked = replace(
        params,
        query=question,
        simple=True,
        vector_query="",
        query_filter=" ".join([*filters, NOT_QUESTIONS]),
        from_=0,
        size=DEPTH,
        facets=False,
        histograms=(),
    )
    default = default_of_request(call.session, call.access, call.project, asked)
    return with_defaults(asked, default) if default is not None else asked


def compare_directly(call: ProjectCall, body: ComparedSearches) -> SearchComparison | None:
    """Return the comparison, None if there are too many questions for a request.

    Raises:
        InvalidInput: no question has a relevant passage; see also `checked_searches`.
    """
    searches = checked_searches(call, body)
    ids = repository.judged_question_ids(call)
    if not ids:
        raise InvalidInput(
            message("none.judgedQuestions", "No question has a passage that was judged as relevant"),
            fix=message("fix.judgeQuestions", "Judge passages of some saved questions, then launch it again"),
        )
    if len(ids) > DIRECT:
        return None
    return compare_on_questions(ids, searches, lambda: nullcontext(call), lambda _: None)


def start_comparison(call: ProjectCall, body: ComparedSearches) -> Job:
    """Start the job that compares two searches."""
    checked_searches(call, body)
    return start_job(
        call.unit,
        type="UNSPECIFIED",
        function="compare_searches",
        arguments={
            "project_name": call.project.name,
            "searches": body.model_dump(mode="json", by_alias=True, exclude_unset=True),
        },
        project=call.project,
        created_by=call.username,
        description=message("start.compareSearches", "Comparing two searches"),
        queue="default",
    )


def compare_on_questions(
    ids: Sequence[int],
    searches: Sequence[SearchParams],
    open_call: Callable[[], AbstractContextManager[ProjectCall]],
    report_progress: Callable[[int], None],
) -> SearchComparison:
    """Return the comparison of the searches on the judged questions with these ids.

    Args:
        open_call: opens the project for one batch of questions.
        report_progress: is called with the number of questions done.
    """
    import numpy as np

    values: npt.NDArray[np.float32] = np.zeros((len(ids), len(searches), len(FIGURES)), dtype=np.float32)
    asked: list[tuple[str, str]] = []
    for at in range(0, len(ids), BATCH):
        with open_call() as call:
            for question in repository.load_questions(call, ids[at : at + BATCH]):
                report_progress(len(asked))
                if not any(one.grade > 0 for one in question.judgements):
                    continue
                for place, search in enumerate(searches):
                    found = search_passages(call, _for_question(call, search, question.text))
                    ranges = [FoundRange(one.document_id, one.start, one.end) for one in found]
                    values[len(asked), place] = figures_of(matches_of(ranges, question.judgements))
                asked.append((question.identifier, question.text))
    return _comparison(values[: len(asked)].astype(np.float64), asked)


def _comparison(values: npt.NDArray[np.float64], asked: Sequence[tuple[str, str]]) -> SearchComparison:
    import numpy as np

    differences = values[:, 1] - values[:, 0]
    overall = [
        ComparedFigure(
            name=name,
            means=[round(float(values[:, place, column].mean()), 4) for place in range(2)],
            difference=round(float(differences[:, column].mean()), 4),
            ci=[round(bound, 4) for bound in bootstrap_interval(differences[:, column])],
            p=round(sign_flip_p(values[:, 0, column], values[:, 1, column]), 4),
        )
        for column, name in enumerate(FIGURES)
        if len(asked)
    ]
    order = np.argsort(-np.abs(differences[:, 0]), kind="stable")[:MAX_LISTED_QUESTIONS]
    listed = [
        ComparedQuestion(
            identifier=asked[row][0],
            text=asked[row][1],
            figures=[
                {name: round(float(value), 4) for name, value in zip(FIGURES, values[row, place], strict=True)}
                for place in range(2)
            ],
            difference=round(float(differences[row, 0]), 4),
        )
        for row in map(int, order)
    ]
    return SearchComparison(judged=len(asked), overall=overall, per_question=listed)
