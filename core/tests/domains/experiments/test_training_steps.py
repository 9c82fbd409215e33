"""A training step by step, with a stub learner: what it gets, what progress is reported, what the report contains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from annotarium.domains.experiments import training
from annotarium.domains.experiments.evaluation_plan import Sample
from annotarium.domains.experiments.metrics import category_report
from annotarium.domains.experiments.training import (
    EvaluatedPredictions,
    TrainingSet,
    can_rank_labels,
    collect_training_set,
    label_scores_per_document,
    train,
)
from annotarium.domains.experiments.training_progress import TrainingProgress
from annotarium.domains.trainables.examples import Example
from annotarium.errors import InvalidInput
from annotarium_plugins.base.component import Cancelled, no_progress
from annotarium_plugins.base.learner import Learner
from annotarium_schemas.documents import Annotation, Category, Document

TOPICS: Any = SimpleNamespace(nature="classification", lang="en", has_split=False)
SPANS: Any = SimpleNamespace(nature="annotation", lang="de", has_split=False)


class Remembering(Learner[Any]):
    """Predicts `a` for each document, and nothing where the text is `silent`."""

    version = "7"
    fitted: list[tuple[list[str], list[str], str]] = []  # noqa: RUF012
    seen: list[Document] = []  # noqa: RUF012

    def __init__(self) -> None:
        """Create the learner without parameters."""

    def fit(self, documents: Any, *, labels: Any, language: str, progress: Any = no_progress) -> None:
        self.fitted.append(([one.identifier for one in documents], list(labels), language))
        progress(1, 2, "half")

    def predict(self, documents: Any, language: str) -> Iterator[Document]:
        for one in documents:
            self.seen.append(one)
            categories = [] if one.text == "silent" else [Category(label_name="a", score=0.9)]
            yield one.model_copy(update={"categories": categories})

    def save(self, folder: Any) -> None: ...

    def load(self, folder: Any) -> None: ...


class Ranking(Remembering):
    """Ranks `a` and an unknown label."""

    def rank(self, documents: Any, language: str, *, limit: int = 5) -> Iterator[Document]:
        for one in documents:
            ranked = [("a", 0.75), ("b", None), ("unknown", 0.5)][:limit]
            named = [Category(label_name=name, score=score) for name, score in ranked]
            yield one.model_copy(update={"categories": named})


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> type[Remembering]:
    monkeypatch.setattr(Remembering, "fitted", [])
    monkeypatch.setattr(Remembering, "seen", [])
    monkeypatch.setattr(training, "build_learner", lambda engine, parameters: Remembering())
    return Remembering


def sample(name: str, *labels: str, ko: Sequence[str] = (), text: str = "text") -> Sample:
    categories = [Category(label_name=label, status="OK") for label in labels]
    categories += [Category(label_name=label, status="KO") for label in ko]
    document = Document(identifier=name, title="T", text=text, metadata={"k": "v"}, categories=categories)
    return Sample(document, name, f"document {name}", tuple(labels))


def data(learn: int, reserved: int = 0) -> TrainingSet:
    samples = [sample(f"{number:03d}", "ab"[number % 2]) for number in range(learn + reserved)]
    return TrainingSet(samples[:learn], samples[learn:], reserved > 0, "print")


def run(training_set: TrainingSet, **more: Any) -> tuple[Any, list[tuple[int, str]]]:
    told: list[tuple[int, str]] = []

    def progress(step: int, total: int, words: Any) -> None:
        assert total == 100
        told.append((step, str(words)))

    return train("engine", {"p": 1}, training_set, TOPICS, progress=progress, **more), told


def example(name: str, *, text: str = "text", split: str | None = None, start: int = 0, **more: Any) -> Example:
    body = {"categories": [Category(label_name="a", status="OK")]} | more
    document = Document(identifier=f"9-{start}", text=text, metadata={"author": "ann"}, **body)
    return Example(document, 9, start, start + 1, split, True, False, name)


def collect(monkeypatch: pytest.MonkeyPatch, project: Any, found: list[Example], progress: Any = no_progress) -> Any:
    monkeypatch.setattr(training, "training_examples", lambda session, project: iter(found))
    session: Any = None
    return collect_training_set(session, project, group_field="author", progress=progress)


# Collecting the samples


def test_fragments_are_named_and_ordered_by_their_document_and_position(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [example("b", start=12), example("b", start=7), example("a", start=200)]
    samples = collect(monkeypatch, TOPICS, found).learn
    assert [one.document.identifier for one in samples] == ["a:000000200", "b:000000007", "b:000000012"]
    assert {(one.name, one.group, one.labels) for one in samples} == {
        ("a", "value ann", ("a",)),
        ("b", "value ann", ("a",)),
    }


def test_rejected_labels_are_not_labels_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels of spans and categories, once per occurrence."""
    marks: dict[str, Any] = {
        "annotations": [
            Annotation(start=0, end=1, label_name="span", status="OK"),
            Annotation(start=1, end=2, label_name="span", status="OK"),
            Annotation(start=1, end=2, label_name="no", status="KO"),
        ]
    }
    found = collect(monkeypatch, SPANS, [example("a", **marks), example("b")])
    assert found.learn[0].labels == ("span", "span", "a")
    assert found.labels == ["a", "span"]


def test_samples_without_text_and_the_project_split_are_handled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [example("a", text=" \n"), example("b"), example("c", split="test"), example("d", split="train")]
    parted = SimpleNamespace(nature="annotation", has_split=True)
    for project, learned, reserved in ((TOPICS, "abcd", ""), (SPANS, "bcd", ""), (parted, "bd", "c")):
        given = collect(monkeypatch, project, found)
        assert [one.name for one in given.learn] == list(learned)
        assert [one.name for one in given.reserved] == list(reserved)
        assert given.has_split is project.has_split


def test_progress_of_reading_is_reported_every_two_hundred_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int, str]] = []
    found = [example(f"{number:04d}") for number in range(401)]
    collect(monkeypatch, TOPICS, found, lambda step, total, words: told.append((step, total, str(words))))
    assert [one[:2] for one in told] == [(0, 100), (0, 100)]
    assert "200" in told[0][2] and "400" in told[1][2]


def test_at_least_two_labelled_samples_are_required(monkeypatch: pytest.MonkeyPatch) -> None:
    rejected = [Category(label_name="a", status="KO")]
    assert len(collect(monkeypatch, TOPICS, [example("a"), example("b", categories=rejected)]).learn) == 2
    for found in ([example("a")], [example(name, categories=rejected) for name in "abc"], []):
        with pytest.raises(InvalidInput):
            collect(monkeypatch, TOPICS, found)


def test_messages_count_documents_where_whole_documents_are_classified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments where spans are labelled, and where people classified segments."""
    whole = [replace(example(f"{number:04d}"), whole=True) for number in range(200)]
    for project, found, unit, words in (
        (TOPICS, whole, "documents", "Reading annotations: 200 documents"),
        (TOPICS, [*whole[1:], example("z")], "segments", "Reading annotations: 200 segments"),
        (SPANS, [example(f"{number:04d}") for number in range(200)], "segments", "Reading annotations: 200 segments"),
    ):
        told: list[str] = []
        collected = collect(monkeypatch, project, found, lambda step, total, text, told=told: told.append(str(text)))
        assert (collected.unit, told) == (unit, [words])
    for project, words, fix in (
        (TOPICS, "There is 1 labelled document outside", "Label more documents"),
        (SPANS, "There is 1 annotated segment outside", "Annotate more segments"),
    ):
        with pytest.raises(InvalidInput) as error:
            collect(monkeypatch, project, whole[:1])
        assert str(error.value.cause).startswith(words)
        assert str(error.value.fix).startswith(fix)


def test_the_end_message_counts_documents(built: type[Remembering]) -> None:
    model, told = run(replace(data(40), unit="documents"))
    assert str(model.summary).startswith("Trained on 40 documents, F1")
    assert "Testing on 8 documents" in [words for _, words in told]


def test_training_can_be_cancelled_while_it_is_tested(built: type[Remembering]) -> None:
    def progress(step: int, total: int, words: Any) -> None:
        if str(words).startswith("Testing"):
            raise Cancelled

    with pytest.raises(Cancelled):
        train("engine", {}, data(40), TOPICS, progress=progress)
    assert built.seen == []


def test_a_learner_that_repeats_the_name_of_the_phase() -> None:
    told: list[tuple[int, str]] = []
    fitting = TrainingProgress(1, False, lambda step, total, words: told.append((step, str(words)))).start(final=False)
    fitting(1, 1, "Training")
    assert told == [(5, "Training"), (84, "Training")]


def test_fingerprint_of_an_invalid_unicode_name(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [collect(monkeypatch, TOPICS, [example(name), example("b")]).fingerprint for name in ("a", "a\udcff")]
    assert len(set(found)) == 2


# Measuring and training


def test_a_fifth_is_held_out_and_the_final_model_is_trained_on_all(built: type[Remembering]) -> None:
    model, told = run(data(40))
    (measured, _, _), (everything, labels, language) = built.fitted
    assert (len(measured), len(everything), labels, language) == (32, 40, ["a", "b"], "en")
    tested = [one.identifier for one in built.seen]
    assert sorted([*tested, *measured]) == everything
    assert all(one.categories == [] and one.annotations == [] for one in built.seen)
    assert {(one.title, one.text, one.metadata["k"]) for one in built.seen} == {("T", "text", "v")}
    in_use = model.facts["measurement"]["modelInUse"]
    assert in_use == {"groups": 40, "documents": 40, "segments": 40, "retrained": True}
    facts: dict[str, Any] = {
        "learner": "engine",
        "parameters": {"p": 1},
        "version": "7",
        "labels": ["a", "b"],
        "trainingData": "print",
    }
    facts |= {"trainingSize": 40, "measuredTrainingSize": 32, "testSize": 8, "split": "held out 20 %"}
    assert model.facts.items() >= facts.items()
    assert (model.labels, model.intervals != {}) == (["a", "b"], True)
    steps = [step for step, _ in told]
    assert (steps[:3], steps[-2:]) == ([5, 5, 25], [49, 71]), "choosing, the measured model, the final model"
    assert steps == sorted(steps)
    words = list(dict.fromkeys(words for _, words in told))
    assert words == [
        "Choosing the test part",
        "Training the model to be measured",
        "Training the model to be measured · half",
        "Testing on 8 segments",
        "Training the final model on all documents",
        "Training the final model on all documents · half",
    ]
    assert [words for _, words in told].count("Testing on 8 segments") == 8, "each can cancel the job"


def test_the_measured_model_can_be_the_final_one(built: type[Remembering]) -> None:
    model, told = run(data(40), train_on_all=False)
    assert [len(names) for names, _, _ in built.fitted] == [32]
    assert (model.facts["trainingSize"], model.facts["measurement"]["modelInUse"]["retrained"]) == (32, False)
    assert [step for step, _ in told][:3] == [5, 5, 45]
    assert told[2][1] == "Training · half", "one training alone tells what it does"
    assert told[-1][0] <= 93


def test_a_test_part_of_the_project_is_measured_once(built: type[Remembering]) -> None:
    model, _ = run(data(30, reserved=10))
    assert [len(names) for names, _, _ in built.fitted] == [30]
    assert (model.facts["testSize"], model.facts["trainingSize"], len(built.seen)) == (10, 30, 10)


@pytest.mark.parametrize("train_on_all", [True, False])
def test_after_cross_validation_the_final_model_is_trained_on_all(built: type[Remembering], train_on_all: bool) -> None:
    model, told = run(data(10), train_on_all=train_on_all)
    assert "Training the model to be measured · round 2 of 5 · half" in [words for _, words in told]
    assert "Testing on 2 segments · round 5 of 5" in [words for _, words in told]
    assert [step for step, _ in told] == sorted(step for step, _ in told)
    assert [len(names) for names, _, _ in built.fitted] == [8, 8, 8, 8, 8, 10]
    assert model.facts["measurement"]["modelInUse"]["retrained"] is True


def test_an_engine_that_learns_no_labels_is_refused(built: type[Remembering], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Remembering, "needs_labels", False)
    with pytest.raises(InvalidInput, match="finds topics"):
        run(data(10))
    assert built.fitted == []


# Reporting


def test_the_report_states_how_it_was_measured(built: type[Remembering]) -> None:
    model, _ = run(data(40))
    body = model.report_json()
    assert body["config"] == {"name": "engine", "type": "learner"}
    assert (body["split"], body["trainingSize"], body["testSize"]) == ("held out 20 %", 32, 8)
    assert (body["measurement"], body["intervals"]) == (model.facts["measurement"], model.intervals)
    assert body["accuracy"] == model.report.accuracy
    assert model.quality == model.report.quality > 0
    assert str(model.summary).startswith("Trained on 40 segments, F1")


def test_without_a_measurement_there_is_no_report() -> None:
    plan: Any = SimpleNamespace(seed=1)
    assert EvaluatedPredictions(["a"]).report(TOPICS, plan) == (None, {})
    model = training.TrainedModel(Remembering(), None, ["a"], {"trainingSize": 2})
    assert (model.quality, model.report_json(), training.f1_message(None)) == (0, None, None)
    assert "F1" not in str(model.summary)


def test_predicted_rejected_labels_count_as_errors() -> None:
    evaluation = EvaluatedPredictions(["a", "b"])
    samples = [sample("x", "a", ko=["b"]), sample("y", "b", text="silent")]
    evaluation.add(Remembering(), samples, TOPICS)
    evaluation.add(None, samples, TOPICS)
    assert evaluation.gold == [frozenset("a"), frozenset("b")] * 2
    assert evaluation.predicted == [frozenset("a"), frozenset(), frozenset(), frozenset()]
    assert evaluation.groups == ["document x", "document y"] * 2


def test_spans_are_compared_by_position_and_label() -> None:
    marks = [
        Annotation(start=0, end=4, label_name="a", status="OK"),
        Annotation(start=5, end=6, label_name="b", status="KO"),
    ]
    document = Document(identifier="x", text="Anna s", annotations=marks, categories=[Category(label_name="c")])
    evaluation = EvaluatedPredictions(["a"])
    evaluation.add(Remembering(), [Sample(document, "x", "g", ("a",))], SPANS)
    assert (evaluation.gold, evaluation.predicted) == ([frozenset({(0, 4, "a")})], [frozenset()])


def test_labels_missing_in_a_ranking_score_zero() -> None:
    assert (can_rank_labels(Ranking()), can_rank_labels(Remembering())) == (True, False)
    (scores,) = label_scores_per_document(Ranking(), [Document(text="x")], ["a", "b", "c"], "en")
    assert dict(scores) == {"a": 0.75, "b": 0.0, "c": 0.0}
    assert (len(scores), list(scores)) == (3, ["a", "b", "c"])


@pytest.mark.parametrize(("learner", "known"), [(Ranking(), True), (Remembering(), False)])
def test_the_area_under_the_curve_needs_a_ranking(
    learner: Learner[Any], known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Any] = []

    def report_of(*right: Any, scores: Any) -> Any:
        given.append(scores)
        return category_report(*right, scores=scores)

    monkeypatch.setattr(training, "category_report", report_of)
    evaluation = EvaluatedPredictions(["a", "b"])
    evaluation.add(learner, [sample("x", "a"), sample("y", "b")], TOPICS)
    evaluation.add(None, [sample("z", "b")] if known else [], TOPICS)
    plan: Any = SimpleNamespace(seed=1)
    report, intervals = evaluation.report(TOPICS, plan)
    assert report is not None and intervals
    assert (given[0] is not None) is known
