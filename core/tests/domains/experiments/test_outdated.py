"""Models report that they are outdated: after changes of texts, segments, the split or label sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update
from support.factories import Corpus, document

from annotarium.db.models import Experiment, Suggester
from annotarium.db.unit_of_work import unit_of_work

Act = Callable[[Corpus], object]


def new_document(corpus: Corpus) -> None:
    corpus.add(document("new", "Ann is new."))


def same_document(corpus: Corpus) -> None:
    corpus.add(document("d0", "Ann was here. She left."))


def recompute(corpus: Corpus) -> None:
    corpus.post("/segments/_recompute", json={"segmenter": {"name": "document"}})
    corpus.run_jobs()


def move_label(corpus: Corpus) -> None:
    corpus.post("/label_sets", json={"name": "other", "label": "Other"})
    corpus.patch("/labels/person", json={"labelSetName": "other"})


def colour_label(corpus: Corpus) -> None:
    corpus.patch("/labels/person", json={"color": "#ff0000"})


CHANGES: dict[str, tuple[Act, bool]] = {
    "a new document": (new_document, False),
    "a deleted document": (lambda corpus: corpus.delete("/documents/d1"), False),
    "documents cut anew": (recompute, False),
    "another split": (lambda corpus: corpus.post("/_split_corpus", 204, params={"testSize": 0.5}), False),
    "a label in another set": (move_label, False),
    "a deleted label": (lambda corpus: (corpus.delete("/labels/person"), corpus.run_jobs()), False),
    "a merged label": (
        lambda corpus: (corpus.post("/labels/_merge", json={"names": ["place", "person"]}), corpus.run_jobs()),
        False,
    ),
    "an exclusive set": (lambda corpus: corpus.patch("/label_sets/default", json={"exclusiveClasses": True}), False),
    "another colour": (colour_label, True),
    "metadata": (
        lambda corpus: corpus.post(
            "/documents/_tag", 204, params={"identifier": "d0"}, json={"name": "a", "value": "b"}
        ),
        True,
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_model_is_outdated_after_changes(corpus: Corpus, change: str) -> None:
    """T-027: the training data differ from the corpus; colours and other display settings change nothing."""
    corpus.add(*(document(f"d{number}", "Ann was here. She left.") for number in range(3)))
    corpus.add_labels("person", "place")
    corpus.annotate("d0", "person", 0, 3)
    created = corpus.post("/experiments", json={"engine": "crf", "label": "Names", "parameters": {}})["name"]
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.execute(update(Experiment).values(uptodate=True, models=1))
        unit.session.execute(update(Suggester).values(uptodate=True))

    def state() -> Any:
        return corpus.get(f"/experiments/{created}")["uptodate"]

    assert state() is True
    act, still = CHANGES[change]
    act(corpus)
    assert state() is still, change


def test_importing_an_unchanged_document_does_not_outdate_a_model(corpus: Corpus) -> None:
    corpus.add(document("d0", "Ann was here. She left."))
    created = corpus.post("/experiments", json={"engine": "crf", "label": "Names", "parameters": {}})["name"]
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.execute(update(Experiment).values(uptodate=True, models=1))
    same_document(corpus)
    assert corpus.get(f"/experiments/{created}")["uptodate"] is True
