"""Results of third-party components are validated before they are accepted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from annotarium.content.plans.runner import PlanRunner
from annotarium.content.validation import InvalidContent
from annotarium.registry import get_registry
from annotarium.registry.component_info import ComponentEntryPoint
from annotarium_plugins.base.annotator import Annotator
from annotarium_plugins.base.processor import Processor
from annotarium_plugins.kinds import KIND_BY_NAME
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Annotation, Category, Document
from annotarium_schemas.plans import AnnotationPlan

TEXT = "Zoé 👩 sleeps"


class Mode(Parameters):
    mode: str = "right"


def span(start: Any = 0, end: Any = 3, label: Any = "person", **more: Any) -> Annotation:
    return Annotation.model_construct(start=start, end=end, label_name=label, **more)


FINDINGS: dict[str, tuple[Annotation | Category, str]] = {
    "outside": (span(0, len(TEXT) + 1), "is outside the text"),
    "reversed": (span(3, 1), "is outside the text"),
    "empty": (span(2, 2), "is outside the text"),
    "negative": (span(-3, 2), "is outside the text"),
    "half": (span(0.5, 2), "start"),
    "no label": (span(label=""), "empty"),
    "NUL": (span(label="a\0b"), "NUL"),
    "long": (span(label="x" * 100_000), "longer than"),
    "half a pair": (span(properties={"a": ["\ud83d"]}), "surrogate"),
    "no number": (span(score=float("nan")), "finite"),
    "sure": (span(score=7.0), "not from 0 to 1"),
    "category": (Category.model_construct(label_name="news", start=0, end=99), "is outside the text"),
}


def _spoil(mode: str, document: Document) -> Document:
    if mode == "exit":
        sys.exit(3)
    if mode == "other text":
        return document.model_copy(update={"text": "other"})
    found = FINDINGS[mode][0] if mode in FINDINGS else span(score=1.0, text="\ud83d")
    if isinstance(found, Category):
        document.categories.append(found.model_copy())
    else:
        document.annotations.append(found.model_copy())
    return document


class OddAnnotator(Annotator[Mode]):
    parameters_model = Mode

    def annotate(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        for document in documents:
            yield _spoil(self.parameters.mode, document)
            while self.parameters.mode == "too many":
                yield document


class OddProcessor(Processor[Mode]):
    parameters_model = Mode

    def process(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        for document in documents:
            yield _spoil(self.parameters.mode, document)


Run = Callable[[str, Document], Document]


@pytest.fixture(params=["annotator", "processor"])
def run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Run:
    registry = get_registry()
    monkeypatch.setattr(registry, "_rows", dict(registry._rows))
    cls = {"annotator": OddAnnotator, "processor": OddProcessor}[request.param]
    point = EntryPoint("odd", f"{cls.__module__}:{cls.__name__}", KIND_BY_NAME[request.param].group)
    registry._add(KIND_BY_NAME[request.param], ComponentEntryPoint(point, "spare", "1"))

    def step(mode: str, document: Document) -> Document:
        pipeline = [{request.param: "odd", "parameters": {"mode": mode}}]
        return PlanRunner(AnnotationPlan.model_validate({"pipeline": pipeline}), "en")(document)

    return step


def test_an_annotator_that_returns_too_many_documents_is_stopped(run: Run, request: pytest.FixtureRequest) -> None:
    if request.node.callspec.params["run"] == "annotator":
        with pytest.raises(InvalidContent, match="did not return"):
            run("too many", Document(identifier="one", title="One", text=TEXT))


@pytest.mark.parametrize("mode", [*FINDINGS, "other text", "exit"])
def test_invalid_results_are_reported_as_an_error_of_their_step(run: Run, mode: str) -> None:
    word = FINDINGS[mode][1] if mode in FINDINGS else {"exit": "SystemExit", "other text": "did not return"}[mode]
    with pytest.raises(InvalidContent, match=word):
        run(mode, Document(identifier="one", title="One", text=TEXT))


def test_valid_results_are_retained_next_to_uncorrected_offsets(run: Run) -> None:
    counted_otherwise = Annotation(start=40, end=46, text="sleeps", label_name="verb")
    document = run("right", Document(identifier="one", title="One", text=TEXT, annotations=[counted_otherwise]))
    assert [(one.start, one.end, one.label_name, one.text) for one in document.annotations] == [
        (40, 46, "verb", "sleeps"),
        (0, 3, "person", "Zoé"),
    ]
