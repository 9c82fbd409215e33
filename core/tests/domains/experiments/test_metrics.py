"""Metrics compared with scikit-learn and seqeval, on random and on unusual input."""

from __future__ import annotations

import random
import warnings

import pytest

from annotarium.domains.experiments.metrics import Metrics, category_report, roc_auc, span_report

LABELS = ["per", "loc", "org", "rare"]


def random_tags(rng: random.Random, length: int) -> list[str]:
    tags: list[str] = []
    while len(tags) < length:
        if rng.random() < 0.4:
            label = rng.choice(LABELS[:3])
            tags += [f"B-{label}"] + [f"I-{label}"] * rng.randrange(3)
        else:
            tags.append("O")
    return tags[:length]


def disturbed(rng: random.Random, tags: list[str]) -> list[str]:
    return random_tags(rng, len(tags)) if rng.random() < 0.5 else list(tags)


def spans_of(tags: list[str]) -> list[tuple[int, int, str]]:
    spans, start = [], None
    for index, tag in enumerate([*tags, "O"]):
        if start is not None and not tag.startswith("I-"):
            spans.append((start, index, tags[start][2:]))
            start = None
        if tag.startswith("B-"):
            start = index
    return spans


def agrees(figures: Metrics, expected: dict[str, float]) -> bool:
    found = (figures.precision, figures.recall, figures.f1, figures.support)
    wanted = (expected["precision"], expected["recall"], expected["f1-score"], expected["support"])
    return found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_spans_agree_with_seqeval_strict(seed: int) -> None:
    """Micro, macro and weighted averages of f1, precision, recall, support."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from seqeval.metrics import classification_report
        from seqeval.scheme import IOB2

    rng = random.Random(seed)
    gold = [random_tags(rng, 12) for _ in range(40)]
    predicted = [disturbed(rng, tags) for tags in gold]
    expected = classification_report(gold, predicted, output_dict=True, mode="strict", scheme=IOB2, zero_division=0)
    report = span_report([spans_of(tags) for tags in gold], [spans_of(tags) for tags in predicted])
    assert agrees(report.micro, expected.pop("micro avg"))
    assert agrees(report.macro, expected.pop("macro avg"))
    assert agrees(report.weighted, expected.pop("weighted avg"))
    assert report.classes.keys() == expected.keys()
    assert all(agrees(report.classes[name], figures) for name, figures in expected.items())
    assert report.samples is None


def test_a_span_counts_only_when_start_end_and_label_agree() -> None:
    gold = [[(0, 4, "per")]]
    assert span_report(gold, [[(0, 4, "per")]]).micro.f1 == 1.0
    for wrong in [(0, 4, "loc"), (0, 3, "per"), (1, 4, "per")]:
        assert span_report(gold, [[wrong]]).micro.f1 == 0.0
    assert span_report(gold, [[]]).micro == Metrics(0.0, 0.0, 0.0, 1)


def test_the_same_span_in_another_document_does_not_count() -> None:
    assert span_report([[(0, 4, "per")], []], [[], [(0, 4, "per")]]).micro.f1 == 0.0


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_categories_agree_with_scikit_learn(seed: int, several: bool) -> None:
    """With roc_auc, and the average over samples."""
    import numpy as np
    from sklearn.metrics import accuracy_score, classification_report, roc_auc_score

    rng = random.Random(seed)

    def draw() -> set[str]:
        return {one for one in LABELS[:3] if rng.random() < 0.4} if several else {rng.choice(LABELS[:3])}

    gold = [draw() for _ in range(60)]
    predicted = [one if rng.random() < 0.5 else draw() for one in gold]
    scores = [{one: round(rng.random(), 1) for one in LABELS} for _ in gold]
    right = np.array([[label in one for label in LABELS] for one in gold], dtype=int)
    given = np.array([[label in one for label in LABELS] for one in predicted], dtype=int)
    values = np.array([[one[label] for label in LABELS] for one in scores])
    expected = classification_report(right, given, target_names=LABELS, output_dict=True, zero_division=0)
    report = category_report(gold, predicted, labels=LABELS, scores=scores)
    averages = {"micro": report.micro, "macro": report.macro, "weighted": report.weighted, "samples": report.samples}
    for name, figures in averages.items():
        assert figures is not None
        assert agrees(figures, expected[f"{name} avg"]), name
    assert all(agrees(report.classes[label], expected[label]) for label in LABELS)
    assert report.accuracy == pytest.approx(accuracy_score(right, given))
    assert report.classes["rare"].roc_auc is None
    present = slice(0, 3)
    for column, label in enumerate(LABELS[present]):
        area = roc_auc_score(right[:, column], values[:, column])
        assert report.classes[label].roc_auc == pytest.approx(area)
    for average, figures in (("macro", report.macro), ("weighted", report.weighted)):
        area = roc_auc_score(right[:, present], values[:, present], average=average)
        assert figures.roc_auc == pytest.approx(area)
    assert report.micro.roc_auc == pytest.approx(roc_auc_score(right.ravel(), values.ravel()))


def test_area_under_the_curve_of_one_class_is_undefined_and_ties_count_half() -> None:
    assert roc_auc([(0.2, True), (0.9, True)]) is None
    assert roc_auc([]) is None
    assert roc_auc([(0.5, True), (0.5, False)]) == 0.5
    assert roc_auc([(0.9, True), (0.1, False)]) == 1.0


def test_json_follows_the_contract() -> None:
    """Figures in the order of the contract; an undefined area under the curve is absent, never 0.5."""
    report = category_report(
        [{"a"}, {"b"}], [{"a"}, {"a"}], labels=["a", "b", "never"], scores=[{"a": 1.0}, {"a": 0.4}]
    )
    wire = report.to_json()
    assert list(wire) == ["microAvg", "macroAvg", "weightedAvg", "samplesAvg", "classes"]
    assert list(report.classes["a"].to_json()) == ["f1", "precision", "recall", "roc_auc", "support"]
    assert "roc_auc" not in report.classes["never"].to_json()
    assert report.quality == 50
    assert "samplesAvg" not in span_report([[]], [[]]).to_json()


def test_empty_input_gives_zeros() -> None:
    report = category_report([], [])
    assert (report.micro.f1, report.macro.f1, report.accuracy, report.classes) == (0.0, 0.0, 0.0, {})


def test_different_numbers_of_documents_are_refused() -> None:
    with pytest.raises(ValueError, match="same documents"):
        span_report([[]], [])
