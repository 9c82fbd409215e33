"""Which samples of a document a learner gets, with users' decisions about them, and what is training data."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from annotarium.domains.trainables import examples
from annotarium.domains.trainables.examples import (
    corpus_examples,
    examples_by_granularity,
    examples_of_documents,
    in_dataset,
    training_examples,
)
from annotarium.search import repository
from annotarium.search.repository import IndexableDocument, LabellingItem

TEXT = "Anna sleeps. Karl wakes."
FIRST, SECOND = (0, 12), (13, 24)
SPANS: Any = SimpleNamespace(id=1, nature="annotation")
SESSION: Any = None
TOPICS: Any = SimpleNamespace(id=1, nature="classification")


def mark(label: str, start: int | None = None, end: int | None = None, status: str | None = "OK") -> LabellingItem:
    return LabellingItem(label, status, "automatic", "ann", 0, start, end)


def state(number: int = 1, text: str | None = TEXT, **more: Any) -> IndexableDocument:
    values: dict[str, Any] = {"metadata": {"kind": "a"}, "split": None, "origin": None, "segments": [FIRST, SECOND]}
    values |= {"created_at": 0, "modified_at": 0, "created_by": "ann"} | more
    return IndexableDocument(number, f"name{number}", f"Title {number}", text, **values)


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch) -> dict[int, IndexableDocument]:
    """The stored documents, by id; those with annotations or categories, or reviewed, count as labelled."""
    states: dict[int, IndexableDocument] = {}

    def ids(session: Any, project_id: int, after: int, limit: int) -> list[int]:
        return sorted(number for number in states if number > after)[:limit]

    def labelled(session: Any, project_id: int, after: int, limit: int) -> list[int]:
        carried = (one.id for one in states.values() if one.annotations or one.categories or one.reviewed)
        return sorted(number for number in carried if number > after)[:limit]

    def load(
        session: Any, project_id: int, wanted: Any, *, with_text: bool, labels: Any
    ) -> dict[int, IndexableDocument]:
        assert with_text and labels == {7: "person"}
        return {number: states[number] for number in wanted if number in states}

    monkeypatch.setattr(repository, "document_ids", ids)
    monkeypatch.setattr(repository, "labelled_document_ids", labelled)
    monkeypatch.setattr(repository, "load_indexable_documents", load)
    monkeypatch.setattr(repository, "label_names", lambda session, project_id: {7: "person"})
    return states


def sample_spans(found: Any) -> list[tuple[int, int, int, bool]]:
    return [(one.document_id, one.start, one.end, one.whole) for one in found]


def spans(example: Any) -> list[tuple[int, int, str, str, str]]:
    return [(one.start, one.end, one.text, one.label_name, one.status) for one in example.document.annotations]


def categories(example: Any) -> list[tuple[str, str]]:
    return [(one.label_name, one.status) for one in example.document.categories]


def test_a_segment_is_an_example_with_offsets_in_its_own_text(corpus: dict[int, IndexableDocument]) -> None:
    """Suggested spans are left out, and those that cross either border of the segment."""
    corpus[1] = state(
        split="train",
        annotations=[
            mark("person", 0, 4),
            mark("guess", 5, 11, None),
            mark("crossing", 5, 17),
            mark("person", 13, 17, "KO"),
            mark("whole", 13, 24),
        ],
    )
    first, second = training_examples(SESSION, SPANS)
    assert sample_spans([first, second]) == [(1, *FIRST, False), (1, *SECOND, False)]
    assert spans(first) == [(0, 4, "Anna", "person", "OK")]
    assert spans(second) == [(0, 4, "Karl", "person", "KO"), (0, 11, "Karl wakes.", "whole", "OK")]
    assert [one.document.text for one in (first, second)] == ["Anna sleeps.", "Karl wakes."]
    assert [one.document.identifier for one in (first, second)] == ["1-0", "1-13"]
    assert (first.name, first.split, first.judged) == ("name1", "train", True)
    assert (first.document.title, first.document.metadata) == ("Title 1", {"kind": "a"})
    assert first.document.categories == []


def test_spans_from_end_to_end_and_those_that_cross_one_border(corpus: dict[int, IndexableDocument]) -> None:
    corpus[1] = state(segments=[(0, 10), (10, 24)], annotations=[mark("a", 0, 10), mark("b", 9, 11), mark("c", 10, 24)])
    assert [[one[3] for one in spans(example)] for example in corpus_examples(SESSION, SPANS)] == [["a"], ["c"]]


def test_only_judged_segments_are_training_data(corpus: dict[int, IndexableDocument]) -> None:
    """A segment without a span counts when its document was reviewed; a suggestion is no judgement."""
    corpus[1] = state(annotations=[mark("person", 13, 17)])
    corpus[2] = state(2, annotations=[mark("person", 0, 4, None)])
    corpus[3] = state(3, reviewed=True)
    corpus[4] = state(4)
    assert sample_spans(training_examples(SESSION, SPANS)) == [
        (1, *SECOND, False),
        (3, *FIRST, False),
        (3, *SECOND, False),
    ]
    assert [one.judged for one in corpus_examples(SESSION, SPANS)] == [
        False,
        True,
        False,
        False,
        True,
        True,
        False,
        False,
    ]


def test_a_document_without_segments_is_one_sample(corpus: dict[int, IndexableDocument]) -> None:
    corpus[1] = state(segments=[], annotations=[mark("person", 13, 17)])
    (one,) = training_examples(SESSION, SPANS)
    assert (sample_spans([one]), spans(one)) == ([(1, 0, 24, False)], [(13, 17, "Karl", "person", "OK")])
    corpus[1] = state(text=None, segments=[], reviewed=True)
    (one,) = training_examples(SESSION, SPANS)
    assert (sample_spans([one]), one.document.text) == ([(1, 0, 0, False)], "")


def test_categories_of_a_document_are_learned_from_the_whole(corpus: dict[int, IndexableDocument]) -> None:
    """An automatic suggestion for a sentence changes nothing. Whether spans were reviewed does not matter here."""
    corpus[1] = state(
        categories=[mark("sport"), mark("press", None, None, "KO"), mark("guess", 0, 12, None)],
        annotations=[mark("person", 0, 4)],
    )
    corpus[2] = state(2, categories=[mark("guess", None, None, None)], reviewed=True)
    (one,) = training_examples(SESSION, TOPICS)
    assert (sample_spans([one]), categories(one)) == ([(1, 0, 24, True)], [("sport", "OK"), ("press", "KO")])
    assert (one.document.text, one.document.annotations, one.judged) == (TEXT, [], True)
    assert [one.judged for one in corpus_examples(SESSION, TOPICS)] == [True, False]


def test_one_judged_sentence_makes_sentences_the_samples(corpus: dict[int, IndexableDocument]) -> None:
    corpus[1] = state(categories=[mark("sport"), mark("press", *SECOND), mark("guess", *FIRST, None)])
    first, second = corpus_examples(SESSION, TOPICS)
    assert sample_spans([first, second]) == [(1, *FIRST, False), (1, *SECOND, False)]
    assert [categories(one) for one in (first, second)] == [[], [("press", "OK")]]
    assert [one.judged for one in (first, second)] == [False, True]


@pytest.mark.parametrize("project", [SPANS, TOPICS])
def test_samples_of_a_requested_granularity_for_any_nature(corpus: dict[int, IndexableDocument], project: Any) -> None:
    """For projects of spans and of categories; for a whole document the categories of its sentences are left out."""
    corpus[1] = state(
        annotations=[mark("person", 0, 4), mark("crossing", 5, 17)],
        categories=[mark("sport"), mark("press", *SECOND)],
    )
    corpus[2] = state(2, text="More", segments=[])
    whole, other = examples_by_granularity(SESSION, project, whole=True)
    assert sample_spans([whole, other]) == [(1, 0, 24, True), (2, 0, 4, True)]
    assert [one[3] for one in spans(whole)] == ["person", "crossing"]
    assert categories(whole) == [("sport", "OK")]
    first, second = examples_by_granularity(SESSION, project, whole=False, document_ids=[1])
    assert sample_spans([first, second]) == [(1, *FIRST, False), (1, *SECOND, False)]
    assert [one[3] for one in spans(first)] == ["person"]
    assert [categories(one) for one in (first, second)] == [[], [("press", "OK")]]
    assert sample_spans(examples_by_granularity(SESSION, project, whole=True, document_ids=[2])) == [(2, 0, 4, True)]
    assert sample_spans(examples_by_granularity(SESSION, project, whole=True, document_ids=[])) == []


def test_documents_are_read_in_batches_each_once(
    corpus: dict[int, IndexableDocument], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requested documents are returned in the given order; one that was deleted meanwhile is skipped."""
    monkeypatch.setattr(examples, "BATCH", 2)
    corpus |= {number: state(number, segments=[], reviewed=True) for number in range(1, 6)}
    for found in (
        corpus_examples(SESSION, SPANS),
        training_examples(SESSION, SPANS),
        examples_by_granularity(SESSION, SPANS, whole=True),
    ):
        assert [one.document_id for one in found] == [1, 2, 3, 4, 5]
    asked = [5, 1, 9, 3, 2]
    for found in (
        examples_of_documents(SESSION, SPANS, asked),
        examples_by_granularity(SESSION, SPANS, whole=True, document_ids=asked),
    ):
        assert [one.document_id for one in found] == [5, 1, 3, 2]


def test_the_dataset_contains_confirmed_labels(corpus: dict[int, IndexableDocument]) -> None:
    corpus[1] = state(annotations=[mark("person", 0, 4), mark("person", 13, 17, "KO")])
    assert [in_dataset(one) for one in corpus_examples(SESSION, SPANS)] == [True, False]
    corpus[1] = state(categories=[mark("sport")])
    corpus[2] = state(2, categories=[mark("sport", None, None, "KO")])
    assert [in_dataset(one) for one in corpus_examples(SESSION, TOPICS)] == [True, False]
