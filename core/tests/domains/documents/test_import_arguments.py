"""The options of imports: as query parameters, and as the arguments of jobs, which are stored in the database."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import select
from support.document_imports import import_documents

from annotarium.db.models import Job
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.imports.schemas import ImportJobArguments, ImportOptions
from annotarium.jobs.run import run_job

ARGUMENTS: dict[str, Any] = {
    "project_name": "p",
    "upload_ids": ["u"],
    "segmentation_policy": "no_segmentation",
    "ignore_labelling": True,
    "split_corpus": False,
    "clean_text": True,
    "categories_from_folder": True,
    "converters": {"csv": {"text_columns": ["body"]}},
    "converter": "csv",
    "distinct_texts": True,
    "metadata_split": False,
    "empty_reviewed": True,
    "folders": {"u": "press/2024"},
    "origin_group_id": 3,
    "plan": {"name": "a", "label": "A", "plan": {"pipeline": []}},
}
"""As written by the first release."""


def test_stored_job_arguments_remain_readable() -> None:
    """After an upgrade, a new worker runs jobs that the old server stored in the database."""
    options = ImportJobArguments.model_validate(ARGUMENTS | {"unknown": 1})
    read = options.model_dump(mode="json")
    assert read == {name: value for name, value in ARGUMENTS.items() if name != "project_name"}
    least = ImportJobArguments.model_validate({"upload_ids": ["u"], "segmentation_policy": "compute_if_missing"})
    assert (least.metadata_split, least.clean_text, least.folders, least.converters) == (True, False, None, None)


def test_stored_job_arguments_keep_their_format(marie: Any, project: str) -> None:
    import_documents(marie, project, [{"identifier": "a", "text": "One."}])
    with unit_of_work(actor="", write=False) as unit:
        arguments = unit.session.scalars(select(Job.arguments).where(Job.function == "import_documents")).one()
    assert arguments.keys() == ARGUMENTS.keys()
    assert arguments["project_name"] == project
    assert arguments["clean_text"] in (True, False)


def test_a_job_with_fewer_and_unknown_arguments_runs(marie: Any, project: str) -> None:
    job = import_documents(marie, project, [{"identifier": "a", "text": "One."}])
    with unit_of_work(actor="", write=True) as unit:
        row = unit.session.get_one(Job, job["id"])
        kept = {name: row.arguments[name] for name in ("project_name", "upload_ids", "segmentation_policy")}
        row.arguments = kept | {"unknown": 1}
        row.state, row.status = "waiting", "STARTED"
    run_job(job["id"])
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.get_one(Job, job["id"]).status == "COMPLETED"


def test_query_parameters_are_accepted_by_published_name_only() -> None:
    options = ImportOptions.model_validate({"emptyListsReviewed": "true", "useActivePlan": "false", "dry_run": "true"})
    assert (options.empty_reviewed, options.use_plan, options.dry_run) == (True, False, False)
    with pytest.raises(ValidationError):
        ImportOptions.model_validate({"cleanText": "perhaps"})
