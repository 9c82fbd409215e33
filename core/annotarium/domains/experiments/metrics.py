"""Evaluation metrics of predictions against confirmed labels, in plain Python: the server needs no learning library.

Spans are compared strictly: start, end and label must all match. Averages: `micro` over all decisions, `macro` the
unweighted mean of the classes, `weighted` their mean weighted by support, `samples` the mean over the documents. A
metric with a zero denominator is 0; the area under the ROC curve is None without both positive and negative examples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

SpanKey = tuple[int, int, str]
"""Start, end (code points, half-open) and label of a span."""


@dataclass(frozen=True)
class Metrics:
    """Metrics of one class or average, each 0..1; `support` is the number of gold examples."""

    precision: float
    recall: float
    f1: float
    support: int
    roc_auc: float | None = None

    def to_json(self) -> dict[str, float | int]:
        """`QualityFigures` of the published API, in the order of C-076, without undefined metrics."""
        body: dict[str, float | int] = {"f1": self.f1, "precision": self.precision, "recall": self.recall}
        if self.roc_auc is not None:
            body["roc_auc"] = self.roc_auc
        body["support"] = self.support
        return body


@dataclass(frozen=True)
class QualityReport:
    """All metrics of one evaluation. `accuracy` is the share of documents without any error."""

    micro: Metrics
    macro: Metrics
    weighted: Metrics
    samples: Metrics | None
    classes: dict[str, Metrics]
    accuracy: float

    @property
    def quality(self) -> int:
        """The single figure shown in lists: micro F1 in percent."""
        return round(100 * self.micro.f1)

    def to_json(self) -> dict[str, object]:
        """`Report` of the published API: microAvg, macroAvg, weightedAvg, samplesAvg, classes."""
        body: dict[str, object] = {
            "microAvg": self.micro.to_json(),
            "macroAvg": self.macro.to_json(),
            "weightedAvg": self.weighted.to_json(),
        }
        if self.samples is not None:
            body["samplesAvg"] = self.samples.to_json()
        body["classes"] = {name: figures.to_json() for name, figures in self.classes.items()}
        return body


def span_report(gold: Sequence[Iterable[SpanKey]], predicted: Sequence[Iterable[SpanKey]]) -> QualityReport:
    """Strict metrics of spans; the classes are the labels in gold or predictions.

    Arguments have one entry per document, in the same order. Without overlapping spans the results equal those of
    seqeval's strict mode; overlapping spans are compared in the same way.
    """
    return _build_quality_report(
        [frozenset(one) for one in gold], [frozenset(one) for one in predicted], label_of=lambda span: span[2]
    )


def category_report(
    gold: Sequence[Iterable[str]],
    predicted: Sequence[Iterable[str]],
    *,
    labels: Sequence[str] | None = None,
    scores: Sequence[Mapping[str, float]] | None = None,
) -> QualityReport:
    """Metrics of categories; a document may have several.

    Args:
        gold, predicted: labels of each document, in the same order.
        labels: classes of the report; by default the labels in gold or predictions.
        scores: for each document the score of every label (missing = 0), for `roc_auc`.
    """
    right, given = [frozenset(one) for one in gold], [frozenset(one) for one in predicted]
    return _build_quality_report(right, given, label_of=str, labels=labels, scores=scores, samples=True)


def _build_quality_report(
    gold: Sequence[frozenset[Any]],
    predicted: Sequence[frozenset[Any]],
    *,
    label_of: Callable[[Any], str],
    labels: Sequence[str] | None = None,
    scores: Sequence[Mapping[str, float]] | None = None,
    samples: bool = False,
) -> QualityReport:
    if len(gold) != len(predicted) or (scores is not None and len(scores) != len(gold)):
        raise ValueError("gold, predicted and scores must speak of the same documents")
    support = Counter(label_of(item) for items in gold for item in items)
    given = Counter(label_of(item) for items in predicted for item in items)
    hits = Counter(label_of(item) for right, found in zip(gold, predicted, strict=True) for item in right & found)
    names = sorted(support.keys() | given.keys()) if labels is None else list(labels)
    areas = {} if scores is None else {name: _label_roc_auc(name, gold, scores) for name in names}
    classes = {name: _metrics_from_counts(hits[name], given[name], support[name], areas.get(name)) for name in names}
    kept = frozenset(names)
    exact = sum(right == found for right, found in zip(gold, predicted, strict=True))
    return QualityReport(
        micro=_metrics_from_counts(
            sum(hits[name] for name in names),
            sum(given[name] for name in names),
            sum(support[name] for name in names),
            None if scores is None else _micro_roc_auc(names, gold, scores),
        ),
        macro=_mean_metrics(classes.values(), lambda figures: 1.0),
        weighted=_mean_metrics(classes.values(), lambda figures: float(figures.support)),
        samples=_mean_metrics_per_document(gold, predicted, kept) if samples else None,
        classes=classes,
        accuracy=exact / len(gold) if gold else 0.0,
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _metrics_from_counts(hits: int, given: int, support: int, area: float | None = None) -> Metrics:
    return Metrics(_ratio(hits, given), _ratio(hits, support), _ratio(2 * hits, given + support), support, area)


def _mean_metrics(classes: Iterable[Metrics], weight: Callable[[Metrics], float]) -> Metrics:
    """Weighted mean of the classes; that of `roc_auc` only over the classes that have it."""
    weighted = [(figures, weight(figures)) for figures in classes]
    total = sum(share for _, share in weighted)
    areas = [(figures.roc_auc, share) for figures, share in weighted if figures.roc_auc is not None]
    area_total = sum(share for _, share in areas)
    return Metrics(
        _ratio(sum(figures.precision * share for figures, share in weighted), total),
        _ratio(sum(figures.recall * share for figures, share in weighted), total),
        _ratio(sum(figures.f1 * share for figures, share in weighted), total),
        sum(figures.support for figures, _ in weighted),
        sum(area * share for area, share in areas) / area_total if area_total else None,
    )


def _mean_metrics_per_document(
    gold: Sequence[frozenset[str]], predicted: Sequence[frozenset[str]], kept: frozenset[str]
) -> Metrics:
    each = [
        _metrics_from_counts(len(right & found & kept), len(found & kept), len(right & kept))
        for right, found in zip(gold, predicted, strict=True)
    ]
    return _mean_metrics(each, lambda figures: 1.0)


def _label_roc_auc(name: str, gold: Sequence[frozenset[str]], scores: Sequence[Mapping[str, float]]) -> float | None:
    return roc_auc([(row.get(name, 0.0), name in right) for right, row in zip(gold, scores, strict=True)])


def _micro_roc_auc(
    names: Sequence[str], gold: Sequence[frozenset[str]], scores: Sequence[Mapping[str, float]]
) -> float | None:
    return roc_auc(
        [(row.get(name, 0.0), name in right) for right, row in zip(gold, scores, strict=True) for name in names]
    )


def roc_auc(scored: Iterable[tuple[float, bool]]) -> float | None:
    """Area under the ROC curve; None without both positive and negative examples.

    It is the probability that a positive example scores above a negative one, where ties count half.

    Args:
        scored: score and truth of each example.
    """
    ordered = sorted(scored, key=lambda pair: pair[0])
    positives = sum(truth for _, truth in ordered)
    negatives = len(ordered) - positives
    if not positives or not negatives:
        return None
    below, won = 0, 0.0
    for _, group in groupby(ordered, key=lambda pair: pair[0]):
        truths = [truth for _, truth in group]
        tied_positives = sum(truths)
        tied_negatives = len(truths) - tied_positives
        won += tied_positives * (below + tied_negatives / 2)
        below += tied_negatives
    return won / (positives * negatives)
