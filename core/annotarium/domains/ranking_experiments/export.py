"""Reports of experiments as files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import orjson
from fastapi import Response

from annotarium.access.call import ProjectCall
from annotarium.domains.ranking_experiments import service
from annotarium.domains.ranking_experiments.schemas import QuestionFigures, RankingExperimentRead
from annotarium.errors import Conflict
from annotarium_plugins.base.spreadsheet import BOM, csv_rows
from annotarium_schemas.messages import message

_PAGE = 1_000


def export_report(call: ProjectCall, name: str, format_: Literal["json", "csv"]) -> Response:
    """Return the report with the figures of all questions: JSON, or CSV with a row for each question.

    Raises:
        NotFound: there is no such experiment. Conflict: it has no report.
    """
    experiment = service.read_experiment(call, name)
    if experiment.report is None:
        raise Conflict(
            message("none.report", "The experiment has no report yet"),
            fix=message("fix.launchFirst", "Launch it first"),
        )
    questions = _all_questions(call, name)
    if format_ == "csv":
        content, kind = BOM + b"".join(csv_rows(_rows(experiment, questions))), "text/csv; charset=utf-8"
    else:
        read = experiment.model_dump(mode="json", by_alias=True, exclude_none=True)
        read["questions"] = [one.model_dump(mode="json", by_alias=True) for one in questions]
        content, kind = orjson.dumps(read), "application/json"
    headers = {"content-disposition": f'attachment; filename="{experiment.name}.{format_}"'}
    return Response(content, media_type=kind, headers=headers)


def _all_questions(call: ProjectCall, name: str) -> Iterator[QuestionFigures]:
    start = 0
    while (page := service.read_question_figures(call, name, start=start, size=_PAGE, sort="worst")).questions:
        yield from page.questions
        start += _PAGE


def _rows(experiment: RankingExperimentRead, questions: Iterator[QuestionFigures]) -> Iterator[list[object]]:
    report = experiment.report
    assert report is not None
    columns = [(one.key, figure) for one in report.configurations for figure in report.figures]
    yield ["identifier", "text", *(f"{key} {figure}" for key, figure in columns)]
    for one in questions:
        yield [one.identifier, one.text, *(one.figures.get(key, {}).get(figure, "") for key, figure in columns)]
