"""The published Python client as used in scripts: its models are sent by `from_dict` and the responses are parsed.

It is installed by `make test-client`, and not with the tools of every test: the metadata of its package states no
licence (its file is Apache-2.0), and it restricts the version of python-dateutil.
"""

from __future__ import annotations

import io
from typing import Any

import pytest
from support.factories import Corpus, document
from support.fake_components import install_fake_components
from support.project_archives import export_project

from annotarium.jobs.run import run_job

pytest.importorskip("sherpa_client", reason="the published client is not installed: `make test-client` does it")

from sherpa_client import AuthenticatedClient, BearerAuth, models
from sherpa_client.api.annotate import (
    annotate_binary_with_project,
    annotate_binary_with_project_annotator,
    annotate_documents_with_project_annotator,
    annotate_format_documents_with_project_annotator,
    annotate_text_with_project,
    annotate_text_with_project_annotator,
    deprecated_annotate_text_with,
)
from sherpa_client.api.annotators import get_annotators_by_type
from sherpa_client.api.authentication import request_jwt_token
from sherpa_client.api.documents import get_document, launch_json_documents_import, search_documents
from sherpa_client.api.jobs import get_global_job, get_job, get_jobs, wait_for_job
from sherpa_client.api.plans import create_plan
from sherpa_client.api.projects import create_project_from_archive
from sherpa_client.types import File

SHEET = b"nr;body\nr1;Marie sleeps.\nr2;Paul wakes. Now.\n"
PLAN = {
    "converter": {"name": "csv", "parameters": {"text_columns": ["body"], "identifier_column": "nr"}},
    "pipeline": [{"annotator": "capitals"}, {"processor": "count"}],
    "formatter": {"name": "json", "parameters": {}},
}
SUGGESTER = {"learner_parameters": {"iterations": 8}, "minimum_score": 0.0}


@pytest.fixture
def corpus(as_admin: Any, make_project: Any, run_jobs: Any, client: Any, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """Create an empty project; jobs run in the request that starts them."""
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda job_id, queue: run_job(job_id))
    install_fake_components(monkeypatch)
    return Corpus(as_admin, make_project(lang="en"), run_jobs)


@pytest.fixture
def api(corpus: Corpus) -> AuthenticatedClient:
    """Return the client, signed in; an unexpected status raises an error."""
    transport = {"transport": corpus.caller.client._transport}
    nobody = AuthenticatedClient(base_url="http://testserver/api", auth=BearerAuth("none"), httpx_args=transport)
    right = models.Credentials(email=corpus.caller.username, password="correct horse battery")
    token = request_jwt_token.sync(client=nobody, body=right)
    return AuthenticatedClient(
        base_url="http://testserver/api",
        auth=BearerAuth(token.access_token),
        httpx_args=transport,
        raise_on_unexpected_status=True,
    )


def send(api: AuthenticatedClient, corpus: Corpus, *documents: dict[str, Any]) -> models.SherpaJobBean:
    """Import documents through `from_dict` and wait for the job under its project."""
    body = [models.ImportedDocument.from_dict(one) for one in documents]
    job = launch_json_documents_import.sync(corpus.project.name, client=api, body=body)
    ended = wait_for_job.sync(corpus.project.name, job.id, client=api)
    assert ended.status == models.SherpaJobBeanStatus.COMPLETED, ended
    return ended


def half_annotated() -> list[dict[str, Any]]:
    named = [document(f"a{n}", f"Marie Curie slept {n} hours in Paris.", ("Marie Curie", "person")) for n in range(30)]
    return [*named, *(document(f"b{n}", f"Marie Curie worked {n} days in Rome.") for n in range(20))]


def restored(api: AuthenticatedClient, corpus: Corpus) -> models.SherpaJobBean:
    send(api, corpus, *half_annotated()[:3])
    body = models.CreateProjectFromArchiveBody(file=File(io.BytesIO(export_project(corpus)), "archive.spa"))
    return create_project_from_archive.sync(client=api, body=body, project_label="Again")


def create_converter_plan(api: AuthenticatedClient, corpus: Corpus) -> str:
    new = {"label": "Reads", "parameters": PLAN, "tags": ["pipelines"]}
    body = models.NewNamedAnnotationPlan.from_dict(new)
    return str(create_plan.sync(corpus.project.name, client=api, body=body).name)


def texts(found: models.AnnotatedDocument) -> list[str]:
    return [one.text for one in found.annotations]


def test_documents_are_imported_and_found(api: AuthenticatedClient, corpus: Corpus) -> None:
    send(api, corpus, *half_annotated())
    read = get_document.sync(corpus.project.name, "a0", client=api)
    assert [(one.start, one.end, one.label_name) for one in read.annotations] == [(0, 11, "person")]
    hits = search_documents.sync(corpus.project.name, client=api, query="worked", size=50)
    assert hits.total.value == 20
    assert {hit.document.identifier for hit in hits.hits} == {f"b{n}" for n in range(20)}


def test_empty_lists_of_the_client_do_not_mark_the_document_reviewed(api: AuthenticatedClient, corpus: Corpus) -> None:
    """`from_dict` sends `annotations: []` for each document without annotations: these documents stay unlabelled and
    are suggested.
    """
    send(api, corpus, *half_annotated())
    read = corpus.get("/documents", params={"outputFields": "identifier,reviewed", "size": 100})
    assert {one["identifier"] for one in read if one.get("reviewed")} <= {f"a{n}" for n in range(30)}
    name = corpus.post("/suggesters", json={"engine": "margin", "parameters": SUGGESTER})["name"]
    corpus.post(f"/suggesters/{name}/_start")
    assert corpus.get("/suggestions", params={"size": 100})["total"]["value"] > 0


def test_an_archive_is_restored_as_a_project(api: AuthenticatedClient, corpus: Corpus) -> None:
    job = restored(api, corpus)
    ended = get_global_job.sync(job.id, client=api)
    assert ended.status == models.SherpaJobBeanStatus.COMPLETED
    again = get_document.sync(job.project, "a0", client=api)
    assert [one.label_name for one in again.annotations] == ["person"]


def test_a_restoration_job_is_found_under_its_project(api: AuthenticatedClient, corpus: Corpus) -> None:
    job = restored(api, corpus)
    assert wait_for_job.sync(job.project, job.id, client=api).status == models.SherpaJobBeanStatus.COMPLETED
    ended = get_job.sync(job.project, job.id, client=api)
    assert (ended.id, ended.project, ended.project_label) == (job.id, job.project, "Again")
    assert job.id in [one.id for one in get_jobs.sync(job.project, client=api)]
    assert get_global_job.sync(job.id, client=api).project == job.project


def test_a_plan_with_a_converter_is_called_as_an_annotator(api: AuthenticatedClient, corpus: Corpus) -> None:
    """Conflicts 30: files, texts and documents, by the name of the annotator and as the only annotator of the
    project.
    """
    name, project = create_converter_plan(api, corpus), corpus.project.name
    listed = get_annotators_by_type.sync(project, client=api)
    assert [one.name for one in listed["plan"]] == [name]
    body = models.AnnotateBinaryWithProjectAnnotatorBody(file=File(io.BytesIO(SHEET), "sheet.strange"))
    found = annotate_binary_with_project_annotator.sync(project, name, client=api, body=body)
    assert [texts(one) for one in found] == [["Marie"], ["Paul", "Now"]]
    body = models.AnnotateBinaryWithProjectBody(file=File(io.BytesIO(SHEET), "sheet.strange"))
    found = annotate_binary_with_project.sync(project, client=api, body=body)
    assert [texts(one) for one in found] == [["Marie"], ["Paul", "Now"]]
    for call in (annotate_text_with_project_annotator, deprecated_annotate_text_with):
        assert texts(call.sync(project, name, client=api, body="Marie met Paul.")) == ["Marie", "Paul"]
    assert texts(annotate_text_with_project.sync(project, client=api, body="Marie met Paul.")) == ["Marie", "Paul"]
    sent = [models.InputDocument.from_dict({"identifier": "x", "text": "Marie met Paul."})]
    (document_found,) = annotate_documents_with_project_annotator.sync(project, name, client=api, body=sent)
    assert texts(document_found) == ["Marie", "Paul"]
    # The client would parse every returned file as JSON and fail: only its request arguments are used here.
    asked = annotate_format_documents_with_project_annotator._get_kwargs(project, name, body=sent)
    made = api.get_httpx_client().request(**asked)
    assert made.status_code == 200 and b'"Marie met Paul."' in made.content
