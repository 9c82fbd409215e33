from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from annotarium_engines.learners.crf_learner import CrfLearner, CrfLearnerParameters
from annotarium_plugins.base.component import Cancelled, ComponentError
from annotarium_schemas.documents import Annotation, Document

Pair = tuple[list[Document], list[Document]]


def spans(document: Document) -> set[tuple[int, int, str | None]]:
    return {(one.start, one.end, one.label_name) for one in document.annotations}


def strict_f1(gold: list[Document], predicted: list[Document]) -> float:
    pairs = list(zip(gold, predicted, strict=True))
    hits = sum(len(spans(right) & spans(found)) for right, found in pairs)
    return 2 * hits / sum(len(spans(right)) + len(spans(found)) for right, found in pairs)


def person(text: str, *names: str, status: str | None = None) -> Document:
    annotations = [
        Annotation(start=text.index(name), end=text.index(name) + len(name), label_name="person", status=status)
        for name in names
    ]
    return Document(identifier=text, text=text, annotations=annotations)


SMALL = [
    person("Anna Berg met Karl Holm in town.", "Anna Berg", "Karl Holm"),
    person("Yesterday Eva Lund wrote a letter.", "Eva Lund"),
    person("The town was quiet."),
    person("Nobody wrote to Karl Holm.", "Karl Holm"),
]


@pytest.fixture(scope="module")
def trained(diseases: Pair) -> CrfLearner:
    learner = CrfLearner(CrfLearnerParameters())
    learner.fit(diseases[0], labels=["disease"], language="en")
    return learner


def test_real_entities_are_learned(trained: CrfLearner, diseases: Pair) -> None:
    predicted = list(trained.predict(diseases[1], "en"))
    assert strict_f1(diseases[1], predicted) > 0.55
    for document in predicted:
        assert document.categories == []
        for one in document.annotations:
            assert one.text == document.text[one.start : one.end]
            assert 0 <= (one.score or -1) <= 1
            assert one.creation_mode == "automatic"


def test_scores_separate_right_from_wrong(trained: CrfLearner, diseases: Pair) -> None:
    right, wrong = [], []
    for gold, found in zip(diseases[1], trained.predict(diseases[1], "en"), strict=True):
        for one in found.annotations:
            (right if (one.start, one.end, one.label_name) in spans(gold) else wrong).append(one.score or 0.0)
    assert sum(right) / len(right) > sum(wrong) / len(wrong) + 0.1
    assert len({round(score, 3) for score in right}) > 10


def test_training_twice_gives_the_same_model_whatever_the_order(tmp_path: Path) -> None:
    for algorithm in ("lbfgs", "pa", "ap"):
        models = []
        for documents in (SMALL, SMALL[::-1]):
            learner = CrfLearner(CrfLearnerParameters(algorithm=algorithm, iterations=10))
            learner.fit(documents, labels=["person"], language="en")
            folder = tmp_path / f"{algorithm}{len(models)}"
            folder.mkdir()
            learner.save(folder)
            models.append((folder / "model.crf").read_bytes())
        assert models[0] == models[1], algorithm


def test_a_saved_model_predicts_the_same(trained: CrfLearner, diseases: Pair, tmp_path: Path) -> None:
    trained.save(tmp_path)
    assert {path.suffix for path in tmp_path.iterdir()} == {".crf", ".json"}
    loaded = CrfLearner(CrfLearnerParameters())
    loaded.load(tmp_path)
    for method in ("predict", "rank"):
        before, after = (list(getattr(one, method)(diseases[1][:50], "en")) for one in (trained, loaded))
        assert before == after


def test_a_damaged_or_incompatible_model_is_refused(tmp_path: Path) -> None:
    learner = CrfLearner(CrfLearnerParameters(iterations=5))
    learner.fit(SMALL, labels=["person"], language="en")
    learner.save(tmp_path)
    model = tmp_path / "model.crf"
    content = model.read_bytes()
    model.write_bytes(content[:-1] + b"?")
    with pytest.raises(ComponentError, match="cannot be read") as caught:
        learner.load(tmp_path)
    assert "damaged" in caught.value.cause
    model.write_bytes(content)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "version": "0"}))
    with pytest.raises(ComponentError, match="cannot be read"):
        learner.load(tmp_path)
    model.unlink()
    with pytest.raises(ComponentError, match="cannot be read"):
        learner.load(tmp_path)


def test_rank_lists_alternatives_of_each_span_with_scores_summing_to_at_most_one(
    trained: CrfLearner, diseases: Pair
) -> None:
    predicted, ranked = (list(found) for found in (trained.predict(diseases[1], "en"), trained.rank(diseases[1], "en")))
    extra = 0
    for sure, candidates in zip(predicted, ranked, strict=True):
        assert spans(sure) <= spans(candidates)
        extra += len(spans(candidates)) - len(spans(sure))
        by_place: dict[tuple[int, int], float] = {}
        for one in candidates.annotations:
            by_place[one.start, one.end] = by_place.get((one.start, one.end), 0.0) + (one.score or 0.0)
        assert all(total <= 1 + 1e-6 for total in by_place.values())
    assert extra > 0


def test_rank_returns_at_most_limit_candidates_best_first() -> None:
    labels = [f"label{number}" for number in range(6)]
    documents = [
        Document(text=f"Item Abc{number} x", annotations=[Annotation(start=5, end=9, label_name=labels[number])])
        for number in range(6)
    ]
    learner = CrfLearner(CrfLearnerParameters(iterations=20))
    learner.fit(documents, labels=labels, language="en")
    (ranked,) = learner.rank([Document(text="Item Abc7 x")], "en", limit=3)
    scores = [one.score or 0.0 for one in ranked.annotations]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert len({(one.start, one.end) for one in ranked.annotations}) == 1


def test_rejected_annotations_are_counter_examples() -> None:
    rejected = [person(f"We saw Mount Tal{number} today.", f"Mount Tal{number}", status="KO") for number in range(6)]
    confirmed = [person(f"We saw Anna Tal{number} today.", f"Anna Tal{number}") for number in range(6)]
    learner = CrfLearner(CrfLearnerParameters())
    learner.fit([*rejected, *confirmed], labels=["person"], language="en")
    mount, anna = learner.predict(
        [Document(text="We saw Mount Tal9 today."), Document(text="We saw Anna Tal9 today.")], "en"
    )
    assert [one.text for one in mount.annotations] == []
    assert [one.text for one in anna.annotations] == ["Anna Tal9"]


def test_a_lower_outside_weight_finds_more(trained: CrfLearner, diseases: Pair, tmp_path: Path) -> None:
    trained.save(tmp_path)
    eager = CrfLearner(CrfLearnerParameters(outside_weight=0.1))
    eager.load(tmp_path)
    found, more = (
        sum(len(one.annotations) for one in learner.predict(diseases[1], "en")) for learner in (trained, eager)
    )
    assert more > found


@pytest.mark.parametrize("algorithm", ["lbfgs", "pa", "ap"])
def test_cancelling_stops_the_training_immediately(algorithm: str, diseases: Pair) -> None:
    steps: list[tuple[int, int]] = []

    def progress(step: int, total: int, message: str) -> None:
        steps.append((step, total))
        if step == 3:
            raise Cancelled

    learner = CrfLearner(CrfLearnerParameters(algorithm=algorithm))
    with pytest.raises(Cancelled):
        learner.fit(diseases[0][:200], labels=["disease"], language="en", progress=progress)
    assert steps[-1] == (3, 50)
    assert max(step for step, _ in steps) == 3
    with pytest.raises(ComponentError, match="not trained"):
        list(learner.predict([Document(text="x")], "en"))


def test_missing_training_data_are_reported() -> None:
    learner = CrfLearner(CrfLearnerParameters())
    with pytest.raises(ComponentError, match="nothing to learn") as caught:
        learner.fit([person("Anna Berg", "Anna Berg", status="KO")], labels=["person"], language="en")
    assert "Confirm" in caught.value.fix


def test_empty_texts_and_unusual_characters_are_accepted(trained: CrfLearner) -> None:
    texts = ["", " \n", "\x00\ufeff", "a=b:c\\d %s", "😀", "She had breast cancer and her mother was healthy . " * 200]
    predicted = list(trained.predict([Document(text=text) for text in texts], "en"))
    assert [one.text for one in predicted] == texts
    assert all(one.annotations == [] for one in predicted[:3])
    assert len(predicted[-1].annotations) > 100


def test_parameter_limits_are_validated() -> None:
    with pytest.raises(ValidationError):
        CrfLearnerParameters(iterations=0)
    with pytest.raises(ValidationError):
        CrfLearnerParameters.model_validate({"iteration": 3})
