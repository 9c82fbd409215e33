"""What is learned and what is measured: parts of the corpus, rejected labels, documents without a judgement."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.db.models import Document
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.experiments.training import collect_training_set
from annotarium.errors import InvalidInput
from annotarium_plugins.base.component import no_progress

NAMES = ("Anna", "Karl", "Eva", "Olaf", "Ida", "Emil")


def set_parts(corpus: Corpus, **parts: str | None) -> None:
    """Set the part of documents by identifier; the project counts as split."""
    with unit_of_work(actor="tests", write=True) as unit:
        rows = unit.session.query(Document).filter_by(project_id=corpus.project.id)
        for row in rows:
            row.split = parts.get(row.identifier)
        unit.session.get_one(type(corpus.project), corpus.project.id).has_split = True


def gathered(corpus: Corpus, open_as: Any) -> Any:
    with open_as("root", corpus.project) as call:
        return collect_training_set(call.session, call.project, progress=no_progress)


def texts(pieces: Any) -> set[str]:
    return {one.document.text for one in pieces}


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    for name in NAMES:
        corpus.add(document(name.lower(), f"{name} sleeps", (name, "person")))
    return corpus


def test_documents_without_a_part_are_trained_on_and_not_measured(filled: Corpus, open_as: Any) -> None:
    """Documents that were added after the split: only the test part is measured."""
    set_parts(filled, anna="train", karl="train", eva="test", olaf="test")
    data = gathered(filled, open_as)
    assert texts(data.reserved) == {"Eva sleeps", "Olaf sleeps"}
    assert texts(data.learn) == {"Anna sleeps", "Karl sleeps", "Ida sleeps", "Emil sleeps"}
    assert data.labels == ["person"]


def test_labels_are_those_confirmed_outside_the_test_part(filled: Corpus, open_as: Any) -> None:
    """A rejected span is a negative example; a label of the test part only would have no example."""
    rejected = {"start": 0, "end": 5, "labelName": "place", "status": "KO"}
    filled.add(document("rejected", "Paris sleeps", annotations=[rejected]))
    filled.add(document("measured", "Oslo sleeps", ("Oslo", "city")))
    set_parts(filled, anna="test", measured="test")
    data = gathered(filled, open_as)
    assert data.labels == ["person"]
    (one,) = [piece.document for piece in data.learn if piece.document.text == "Paris sleeps"]
    assert [(span.label_name, span.status) for span in one.annotations] == [("place", "KO")]


def test_unreviewed_documents_are_neither_trained_on_nor_measured(filled: Corpus, open_as: Any) -> None:
    filled.add(document("unseen", "Nobody has read this"), document("read", "Nothing stands here", reviewed=True))
    set_parts(filled, anna="test")
    data = gathered(filled, open_as)
    assert "Nothing stands here" in texts(data.learn)
    assert "Nobody has read this" not in texts(data.learn) | texts(data.reserved)


def test_one_example_is_refused(corpus: Corpus, open_as: Any) -> None:
    corpus.add(document("one", "Anna sleeps", ("Anna", "person")))
    corpus.add(document("two", "Karl sleeps", ("Karl", "person")))
    set_parts(corpus, two="test")
    with pytest.raises(InvalidInput) as refused:
        gathered(corpus, open_as)
    assert "1 annotated segment " in str(refused.value.cause)
    set_parts(corpus)
    data = gathered(corpus, open_as)
    assert (len(data.learn), data.reserved) == (2, [])


def test_the_fingerprint_depends_on_training_data_only(filled: Corpus, open_as: Any) -> None:
    """Another label or another part gives another model. A document without a judgement changes nothing."""
    set_parts(filled, anna="test")
    first = gathered(filled, open_as).fingerprint
    filled.add(document("unseen", "Nobody has read this"))
    set_parts(filled, anna="test")
    assert gathered(filled, open_as).fingerprint == first
    set_parts(filled, anna="test", karl="test")
    other = gathered(filled, open_as).fingerprint
    assert other != first
    filled.add(document("late", "Olga sleeps", ("Olga", "person")))
    set_parts(filled, anna="test", karl="test")
    assert gathered(filled, open_as).fingerprint not in (first, other)
