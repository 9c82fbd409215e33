"""Behaviour of the conditional random field: meaning of scores, competing candidates, contents of a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from annotarium_engines.learners import crf_learner
from annotarium_engines.learners.crf_features import CasingCounts
from annotarium_engines.learners.crf_learner import CrfLearner, CrfLearnerParameters, _TrainedModel
from annotarium_engines.model_files import read_model
from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.documents import Annotation, Document


class Tagger:
    """A stub of the model: tag probabilities by token."""

    def __init__(self, best: list[str], *marginals: dict[str, float]) -> None:
        self.best, self.marginals = best, marginals
        self.given: list[int] = []

    def set(self, rows: list[list[str]]) -> None:
        self.given.append(len(rows))

    def tag(self) -> list[str]:
        return self.best

    def marginal(self, tag: str, index: int) -> float:
        return self.marginals[index].get(tag, 0.0)


def learner(tagger: Tagger, *labels: str, **parameters: float) -> CrfLearner:
    made = CrfLearner(CrfLearnerParameters.model_validate(parameters))
    tags = ["O", *(f"{kind}-{label}" for label in labels for kind in "BI")]
    made._trained = _TrainedModel(b"", tagger, tags, CasingCounts(), list(labels), "en")
    return made


def found(document: Document) -> list[tuple[str | None, str | None, float | None]]:
    return [(one.text, one.label_name, one.score) for one in document.annotations]


TEXT = Document(identifier="d", text="Anna Maria Berg met.")
"""Five tokens."""
NAMED = Tagger(
    ["B-person", "I-person", "I-person", "O", "O"],
    {"O": 0.05, "B-person": 0.9, "B-org": 0.05},
    {"O": 0.1, "I-person": 0.3, "B-person": 0.4, "I-org": 0.2},
    {"O": 0.1, "I-person": 0.8, "I-org": 0.05},
    {"O": 0.6, "B-org": 0.3, "B-person": 0.05},
    {"O": 0.97, "B-org": 0.02},
)


def test_the_score_of_a_span_is_the_smallest_probability_of_its_tags() -> None:
    """The weakest tag of a span determines its score."""
    (predicted,) = learner(NAMED, "person", "org").predict([TEXT], "en")
    assert found(predicted) == [("Anna Maria Berg", "person", 0.3)]
    assert predicted.annotations[0].creation_mode == "automatic"
    assert (predicted.annotations[0].start, predicted.annotations[0].end) == (0, 15)
    assert (predicted.identifier, predicted.categories) == ("d", [])


def test_a_span_that_begins_with_a_stray_tag_is_scored_by_it() -> None:
    stray = Tagger(["I-person", "O", "O", "O", "O"], {"I-person": 0.7, "O": 0.3}, *({"O": 1.0},) * 4)
    (predicted,) = learner(stray, "person").predict([TEXT], "en")
    assert found(predicted) == [("Anna", "person", 0.7)]


@pytest.mark.parametrize(("given", "expected"), [(1.7, 1.0), (-0.2, 0.0)])
def test_scores_stay_within_0_and_1(given: float, expected: float) -> None:
    odd = Tagger(["B-person", "O", "O", "O", "O"], {"B-person": given, "O": 0.0}, *({"O": 1.0},) * 4)
    (predicted,) = learner(odd, "person").predict([TEXT], "en")
    assert predicted.annotations[0].score == expected


def test_a_lower_outside_weight_annotates_less_probable_labels() -> None:
    """At full weight the most probable tags are used."""
    (heavy,) = learner(NAMED, "person", "org").predict([TEXT], "en")
    assert [text for text, _, _ in found(heavy)] == ["Anna Maria Berg"]
    (light,) = learner(NAMED, "person", "org", outside_weight=0.4).predict([TEXT], "en")
    assert [(text, label) for text, label, _ in found(light)] == [
        ("Anna", "person"),
        ("Maria Berg", "person"),
        ("met", "org"),
    ]


def test_outside_wins_ties_and_the_first_of_equal_labels_is_used() -> None:
    tied = Tagger(["O"] * 5, {"O": 0.5, "B-a": 0.25, "B-b": 0.25}, *({"O": 1.0},) * 4)
    (none,) = learner(tied, "a", "b", outside_weight=0.5).predict([TEXT], "en")
    assert none.annotations == []
    (one,) = learner(tied, "a", "b", outside_weight=0.4).predict([TEXT], "en")
    assert found(one) == [("Anna", "a", 0.25)]


def test_a_tag_inside_continues_only_its_own_label() -> None:
    follow = Tagger(
        ["O"] * 5,
        {"O": 0.1, "B-a": 0.9},
        {"O": 0.1, "I-b": 0.5, "I-a": 0.3, "B-b": 0.1},
        *({"O": 1.0},) * 3,
    )
    (predicted,) = learner(follow, "a", "b", outside_weight=0.5).predict([TEXT], "en")
    assert found(predicted) == [("Anna Maria", "a", 0.3)]


def test_alternatives_of_a_span_are_limited_and_best_first() -> None:
    rivals = Tagger(
        ["B-b", "O", "O", "O", "O"],
        {"O": 0.1, "B-a": 0.2, "B-b": 0.5, "B-c": 0.2, "B-d": 0.0},
        *({"O": 1.0},) * 4,
    )
    made = learner(rivals, "a", "b", "c", "d")
    (ranked,) = made.rank([TEXT], "en")
    assert found(ranked) == [("Anna", "b", 0.5), ("Anna", "a", 0.2), ("Anna", "c", 0.2)], (
        "what has no chance is left out"
    )
    (limited,) = made.rank([TEXT], "en", limit=2)
    assert [label for _, label, _ in found(limited)] == ["b", "a"]


def test_ranking_proposes_spans_of_a_much_lower_outside_weight() -> None:
    """Further proposals do not overlap the predictions and are in text order."""
    doubtful = Tagger(
        ["O", "B-a", "I-a", "O", "O"],
        {"O": 0.8, "B-a": 0.15},
        {"O": 0.1, "B-a": 0.8},
        {"O": 0.3, "I-a": 0.5, "B-b": 0.2},
        {"O": 0.8, "B-b": 0.1},
        {"O": 0.85, "B-b": 0.05},
    )
    (ranked,) = learner(doubtful, "a", "b").rank([TEXT], "en", limit=1)
    assert [text for text, _, _ in found(ranked)] == ["Anna", "Maria Berg", "met"]


def test_an_unknown_tag_has_probability_zero() -> None:
    """The tagger is not asked for it, because it would raise an error."""
    made = learner(Tagger(["B-a", "O", "O", "O", "O"], {"B-a": 0.9, "O": 0.1}, *({"O": 1.0},) * 4), "a", "b")
    assert made._trained is not None
    made._trained.tags = ["O", "B-a"]
    (ranked,) = made.rank([TEXT], "en")
    assert found(ranked) == [("Anna", "a", 0.9)]


def test_a_long_text_is_scored_in_chunks() -> None:
    class Long(Tagger):
        def tag(self) -> list[str]:
            return ["O"] * self.given[-1]

        def marginal(self, tag: str, index: int) -> float:
            assert index < self.given[-1], "of the piece that it holds"
            return 1.0 if tag == "O" else 0.0

    tagger = Long([])
    text = " ".join(["word"] * 900)
    list(learner(tagger, "a").predict([Document(identifier="d", text=text)], "en"))
    assert tagger.given == [400, 400, 100]


def person(text: str, *names: str) -> Document:
    spans = [
        Annotation(start=text.index(name), end=text.index(name) + len(name), label_name="person") for name in names
    ]
    return Document(identifier=text, text=text, annotations=spans)


SMALL = [
    person("Anna Berg met Karl Holm in town.", "Anna Berg", "Karl Holm"),
    person("Yesterday Eva Lund wrote a letter.", "Eva Lund"),
    person("The town was quiet."),
    person("Nobody wrote to Karl Holm.", "Karl Holm"),
    Document(identifier="", text=""),
]
UNSEEN = [person("Later Eva Holm met Anna Lund near the town."), person("Karl wrote.")]


def scores(made: CrfLearner) -> list[list[tuple[str | None, str | None, float | None]]]:
    return [found(one) for one in made.rank(UNSEEN, "en")]


@pytest.mark.parametrize("parameters", [{"affixes": 1, "window": 2}, {"affixes": 4, "window": 0}, {"affixes": 0}])
def test_a_loaded_model_computes_the_same_features(parameters: dict[str, int], tmp_path: Path) -> None:
    """Affixes and context are those of the training; the number of annotations depends on the current parameter."""
    trained = CrfLearner(CrfLearnerParameters.model_validate({"iterations": 20} | parameters))
    trained.fit(SMALL, labels=["person"], language="sv")
    trained.save(tmp_path)
    loaded = CrfLearner(CrfLearnerParameters(outside_weight=0.5, affixes=6, window=3))
    loaded.load(tmp_path)
    assert scores(loaded) == scores(trained)
    assert scores(loaded)[0], "there is something to compare"
    assert loaded.parameters.affixes == trained.parameters.affixes
    assert loaded.parameters.window == trained.parameters.window
    assert loaded.parameters.outside_weight == 0.5
    again = tmp_path / "again"
    again.mkdir()
    loaded.save(again)
    kept = json.loads((again / "manifest.json").read_text())
    assert (kept["labels"], kept["language"]) == (["person"], "sv")
    other = CrfLearner(CrfLearnerParameters())
    other.load(again)
    assert scores(other) == scores(trained)


def test_every_parameter_affects_the_training() -> None:
    """Each of them changes the model."""

    def model(**parameters: object) -> bytes:
        made = CrfLearner(CrfLearnerParameters.model_validate({"iterations": 10} | parameters))
        made.fit(SMALL, labels=["person"], language="en")
        assert made._trained is not None
        return made._trained.model

    plain = model()
    for change in ({"c1": 2.0}, {"c2": 3.0}, {"window": 1}, {"affixes": 2}, {"iterations": 2}, {"algorithm": "pa"}):
        assert model(**change) != plain, change
    assert model(algorithm="ap", c1=5.0) == model(algorithm="ap"), "the penalties are those of L-BFGS"


def test_progress_covers_reading_and_training() -> None:
    told: list[tuple[int, int]] = []
    made = CrfLearner(CrfLearnerParameters(iterations=7))
    made.fit(SMALL, labels=["person"], language="en", progress=lambda step, total, _="": told.append((step, total)))
    assert told[0] == (0, 7)
    assert [step for step, _ in told] == sorted(step for step, _ in told)
    assert {total for _, total in told} == {7} and 1 <= told[-1][0] <= 7


def test_only_requested_labels_are_learned() -> None:
    made = CrfLearner(CrfLearnerParameters(iterations=5))
    with pytest.raises(ComponentError):
        made.fit(SMALL, labels=["org"], language="en")
    made.fit(SMALL, labels=["org", "person"], language="en")
    assert made._trained is not None and made._trained.labels == ["person"]


def test_predicting_and_saving_require_training(tmp_path: Path) -> None:
    fresh = CrfLearner(CrfLearnerParameters())
    with pytest.raises(ComponentError):
        list(fresh.predict(UNSEEN, "en"))
    with pytest.raises(ComponentError):
        fresh.save(tmp_path)


@pytest.mark.parametrize("damage", ["labels", "language", "parameters"])
def test_a_model_with_an_incomplete_manifest_is_refused(damage: str, tmp_path: Path) -> None:
    trained = CrfLearner(CrfLearnerParameters(iterations=3))
    trained.fit(SMALL, labels=["person"], language="en")
    trained.save(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    del manifest[damage]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ComponentError):
        CrfLearner(CrfLearnerParameters()).load(tmp_path)
    with pytest.raises(ComponentError):
        read_model(tmp_path, component="other", version="1", names=())


def test_reading_reports_progress() -> None:
    """Progress is reported every 200 texts, so that reading a large corpus can be cancelled."""
    many = [person("Anna Berg met.", "Anna Berg") for _ in range(401)]
    told: list[int] = []
    made = CrfLearner(CrfLearnerParameters(iterations=1))
    made.fit(many, labels=["person"], language="en", progress=lambda step, _total, _words="": told.append(step))
    assert told.count(0) == 4, "at the start, and before the texts 1, 201 and 401"


def test_casing_counts_exclude_the_word_being_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    """The casing counts contain the words being learned, so the word's own occurrence is subtracted, but not for words
    to predict.
    """
    counted: list[bool] = []
    made_of = crf_learner.features

    def watched(*arguments: Any, **settings: Any) -> Any:
        counted.append(settings["counted"])
        return made_of(*arguments, **settings)

    monkeypatch.setattr(crf_learner, "features", watched)
    made = CrfLearner(CrfLearnerParameters(iterations=2))
    made.fit(SMALL, labels=["person"], language="en")
    assert counted and all(counted)
    counted.clear()
    list(made.predict(UNSEEN, "en"))
    assert counted and not any(counted)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("c1", 0, 100),
        ("c2", 0, 100),
        ("window", 0, 3),
        ("affixes", 0, 6),
        ("iterations", 1, 500),
        ("outside_weight", 0.01, 1),
    ],
)
def test_parameter_ranges(name: str, least: float, most: float) -> None:
    for value in (least, most):
        assert getattr(CrfLearnerParameters.model_validate({name: value}), name) == value
    for value in (least - 1, most + 1):
        with pytest.raises(ValidationError):
            CrfLearnerParameters.model_validate({name: value})
