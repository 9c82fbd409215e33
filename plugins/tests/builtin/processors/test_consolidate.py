"""Consolidation: only one of several overlapping automatic annotations is kept."""

from __future__ import annotations

from typing import Any, ClassVar

from hypothesis import given
from hypothesis import strategies as st

from annotarium_plugins.builtin.processors.consolidate import ConsolidateParameters, ConsolidateProcessor
from annotarium_plugins.testing import ProcessorContract
from annotarium_schemas.documents import Annotation, Document, Term

TEXT = "The University of Paris \U0001f600 and Ada Lovelace. " * 3


def mark(start: int, end: int, label: str = "a", **more: Any) -> Annotation:
    given = {"creation_mode": "automatic", **more}
    return Annotation(start=start, end=end, text=TEXT[start:end], label_name=label, **given)


def consolidated(*annotations: Annotation, keep: str = "first") -> list[Annotation]:
    component = ConsolidateProcessor(ConsolidateParameters.model_validate({"keep": keep}))
    (done,) = component.process([Document(text=TEXT, annotations=list(annotations))], "en")
    return done.annotations


class TestConsolidate(ProcessorContract):
    component = ConsolidateProcessor


class TestConsolidateLongest(ProcessorContract):
    component = ConsolidateProcessor
    parameters: ClassVar = {"keep": "longest"}


def test_the_first_or_the_longest_annotation_wins() -> None:
    short, long, apart = mark(18, 23), mark(4, 23, "b"), mark(30, 33)
    assert consolidated(short, long, apart) == [short, apart]
    assert consolidated(short, long, apart, keep="longest") == [long, apart]


def test_annotations_of_the_same_span_are_merged() -> None:
    term = Term(identifier="Q90", lexicon="wikidata")
    (one,) = consolidated(mark(18, 23), mark(18, 23, "b", score=0.7, terms=[term]), mark(18, 23, "c", terms=[term]))
    assert (one.label_name, one.score, one.terms) == ("a", 0.7, [term])


def test_confirmed_annotations_stay_and_overlapping_ones_are_removed() -> None:
    manual, judged = mark(4, 23, creation_mode="manual"), mark(0, 3, status="OK")
    refused, pieces = mark(30, 40, status="KO"), mark(50, 60, fragments=[(50, 52), (58, 60)])
    given = [mark(18, 23), manual, judged, mark(1, 2), refused, mark(30, 40, "b"), pieces, mark(53, 55)]
    assert consolidated(*given) == [manual, judged, refused, given[5], pieces, given[7]]
    assert consolidated(manual, mark(4, 23, "b", creation_mode="imported")) == [
        manual,
        mark(4, 23, "b", creation_mode="imported"),
    ]


ranges = st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(st.lists(ranges, max_size=12), st.sampled_from(["first", "longest"]))
def test_remaining_annotations_do_not_overlap_and_only_overlapping_ones_are_removed(
    places: list[tuple[int, int]], keep: str
) -> None:
    marks = [mark(start, end) for start, end in places]
    stay = [(one.start, one.end) for one in consolidated(*marks, keep=keep)]
    assert all(a[1] <= b[0] or b[1] <= a[0] for number, a in enumerate(stay) for b in stay[number + 1 :])
    assert all(any(a[0] < b[1] and b[0] < a[1] for a in stay) for b in places)
