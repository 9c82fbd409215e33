"""Saved questions are not what models learn from, nor what is counted or searched as material of the corpus."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus
from support.saved_questions import save

from annotarium.db.models import Project
from annotarium.domains.corpus_terms import repository as corpus_terms
from annotarium.domains.segments import repository as segments
from annotarium.domains.trainables import examples


@pytest.fixture
def annotated(filled: Corpus) -> Corpus:
    """Two documents and a question, each annotated."""
    save(filled, "Where was Ines born?", identifier="q1")
    filled.add_labels("person")
    filled.annotate("d1", "person", 0, 4)
    filled.annotate("q1", "person", 10, 14)
    return filled


def test_nothing_learns_from_questions(annotated: Corpus, open_as: Any) -> None:
    with open_as("root", annotated.project, write=False) as call:
        project = call.session.get_one(Project, annotated.project.id)
        whole = {"session": call.session, "project": project}
        assert {one.name for one in examples.training_examples(**whole)} == {"d1"}
        assert {one.name for one in examples.corpus_examples(**whole)} == {"d1", "d2"}
        assert {one.name for one in examples.examples_by_granularity(**whole, whole=True)} == {"d1", "d2"}
        assert [identifier for _, identifier, *_ in corpus_terms.iterate_texts(call)] == ["d1", "d2"]
        ids = [one["_id"] for one in annotated.post("/documents/_search")["hits"]]
        named = {one.name for one in examples.examples_of_documents(**whole, document_ids=sorted(map(int, ids)))}
        assert named == {"d1", "d2", "q1"}  # chosen by the user
        assert len(segments.without_saved_questions(call.session, list(map(int, ids)))) == 2


def test_the_dashboard_counts_questions_apart(annotated: Corpus) -> None:
    found = annotated.get("/corpusMetrics")
    assert (found["documentCount"], found["questionCount"]) == (3, 1)
    annotated.delete("/questions/q1")
    assert "questionCount" not in annotated.get("/corpusMetrics")
