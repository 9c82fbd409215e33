"""Which documents count as reviewed: only those that were explicitly marked so (decision 0109)."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.project_archives import export_project, import_project

from annotarium.db.models import Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.trainables.examples import training_examples

TEXT = "Rome is a city. It rains in Rome."
SPAN = {"start": 0, "end": 4, "text": "Rome", "labelName": "city"}


def reviewed(corpus: Corpus, name: str | None = None) -> dict[str, bool]:
    path = f"/api/projects/{name or corpus.project.name}/documents"
    return {one["identifier"]: one["reviewed"] for one in corpus.caller.get(path).json()}


def training_sample_count(corpus: Corpus) -> int:
    """Number of samples that a model of the project would be trained on."""
    with unit_of_work(actor="", write=False) as unit:
        return len(list(training_examples(unit.session, unit.session.get_one(Project, corpus.project.id))))


def as_the_client_sends(identifier: str, **more: Any) -> dict[str, Any]:
    """A document as `ImportedDocument.from_dict(...).to_dict()` of the published client serialises it: always with both
    lists.
    """
    return document(identifier, TEXT) | {"annotations": [], "categories": [], "metadata": {}} | more


def test_an_empty_list_alone_does_not_mark_a_document_reviewed(corpus: Corpus) -> None:
    """C-051: documents that a program sends without labels are not negative examples."""
    job = corpus.add(as_the_client_sends("a"), as_the_client_sends("b", annotations=[SPAN]), document("c", TEXT))
    assert reviewed(corpus) == {"a": False, "b": True, "c": False}
    assert training_sample_count(corpus) == 2  # both sentences of b, which was sent with labels
    assert "1 document with an empty list of labels does not count as reviewed" in job["statusMessage"]


def test_reviewed_is_set_by_the_document_or_by_the_import_option(corpus: Corpus) -> None:
    corpus.add(as_the_client_sends("said", reviewed=True), as_the_client_sends("denied", reviewed=False))
    again = corpus.add(
        *(as_the_client_sends("asked"), as_the_client_sends("never", reviewed=False), document("no-list", TEXT)),
        emptyListsReviewed="true",
    )
    assert reviewed(corpus) == {"said": True, "denied": False, "asked": True, "never": False, "no-list": False}
    assert training_sample_count(corpus) == 4
    assert "empty list" not in again["statusMessage"]


def test_proposals_of_a_machine_do_not_make_a_document_reviewed(corpus: Corpus) -> None:
    proposed, rejected = SPAN | {"creationMode": "automatic"}, SPAN | {"status": "KO"}
    corpus.add(
        as_the_client_sends("proposed", annotations=[proposed]),
        as_the_client_sends("confirmed", annotations=[proposed | {"status": "OK"}]),
        as_the_client_sends("rejected", annotations=[rejected]),
    )
    assert reviewed(corpus) == {"proposed": False, "confirmed": True, "rejected": True}


def test_ignored_labelling_does_not_mark_a_document_reviewed(corpus: Corpus) -> None:
    corpus.add(as_the_client_sends("a", annotations=[SPAN], reviewed=True), ignoreLabelling="true")
    assert reviewed(corpus) == {"a": False}


def test_empty_lists_in_a_classification_project_do_not_mark_documents_reviewed(topics: Corpus) -> None:
    """There the list of categories counts; neither empty list makes a document reviewed."""
    category = {"labelName": "travel"}
    job = topics.add(as_the_client_sends("none"), as_the_client_sends("one", categories=[category]))
    assert "1 document with an empty list" in job["statusMessage"]
    assert reviewed(topics) == {"none": False, "one": False}
    topics.add(as_the_client_sends("asked"), emptyListsReviewed="true")
    assert reviewed(topics)["asked"] is True
    assert training_sample_count(topics) == 1


@pytest.mark.parametrize("kind", ["corpus", "topics"])
def test_a_check_counts_the_documents_to_ask_about(kind: str, request: pytest.FixtureRequest) -> None:
    """C-050: the dialog asks what an empty list means before anything is written."""
    corpus: Corpus = request.getfixturevalue(kind)
    body = [as_the_client_sends("a"), as_the_client_sends("b", reviewed=True), document("c", TEXT)]
    for parameters, count in (({}, 1), ({"emptyListsReviewed": "true"}, 0)):
        job = corpus.add(*body, dryRun="true", **parameters)
        assert job["result"]["emptyLists"] == count
    assert reviewed(corpus) == {}


def test_reviewed_survives_export_and_import(corpus: Corpus, make_project: Any) -> None:
    """V-023: in document exports and archives; importing the export into the same project changes nothing."""
    corpus.add(as_the_client_sends("yes", reviewed=True), as_the_client_sends("no"))
    documents = corpus.get("/documents")
    assert corpus.add(*documents)["result"] == {"unchanged": 2}
    other = Corpus(corpus.caller, make_project(lang="en"), corpus.run_jobs)
    other.add(*documents)
    restored, _ = import_project(corpus, export_project(corpus))
    for found in (reviewed(corpus), reviewed(other), reviewed(corpus, restored)):
        assert found == {"yes": True, "no": False}


def test_importing_the_same_documents_again_keeps_reviewed(corpus: Corpus) -> None:
    corpus.add(as_the_client_sends("a"))
    assert corpus.add(as_the_client_sends("a"))["result"] == {"unchanged": 1}
    assert corpus.add(as_the_client_sends("a"), emptyListsReviewed="true")["result"] == {"replaced": 1}
    assert reviewed(corpus) == {"a": True}
