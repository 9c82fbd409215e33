"""The report of an experiment, from the figures of each question and configuration.

The best configuration is chosen honestly: the figures of the choice are those on questions that had no part in it
(cross-validation over questions), and no configuration that is worse than the baseline is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotarium.search.ranking_quality import (
    assign_folds,
    bootstrap_interval,
    choose_by_cross_validation,
    sign_flip_p,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]

SIGNIFICANT = 0.05
_DIGITS = 4


@dataclass(frozen=True)
class Measured:
    """The figures of all questions.

    Attributes:
        keys, labels, settings, seconds: by configuration; the first one is the baseline.
        names: of the figures; the first one decides.
        values: questions x configurations x figures, each 0..1; NaN for a figure that a question does not have.
    """

    keys: Sequence[str]
    labels: Sequence[str]
    settings: Sequence[dict[str, Any]]
    seconds: Sequence[float]
    names: Sequence[str]
    values: Numbers

    @property
    def main(self) -> Numbers:
        """The figure that decides, by question and configuration."""
        return self.values[:, :, 0]


def measured_report(measured: Measured, *, folds: int, seed: int) -> dict[str, Any]:
    """Return configurations with intervals, the choice with its held-out figures, and comparisons with the baseline."""
    count = len(measured.values)
    choice = _choose(measured, min(folds, count), seed)
    best = choice["best"]
    main = measured.main
    return {
        "figures": list(measured.names),
        "configurations": [_configuration(measured, place, seed) for place in range(len(measured.keys))],
        "baseline": measured.keys[0],
        "best": best,
        "choice": choice,
        "comparisons": [
            _comparison(key, measured.keys[0], main[:, 0], main[:, place], seed)
            for place, key in enumerate(measured.keys)
            if place
        ],
    }


def _configuration(measured: Measured, place: int, seed: int) -> dict[str, Any]:
    import numpy as np

    means: dict[str, float] = {}
    intervals: dict[str, list[float]] = {}
    for name, column in zip(measured.names, measured.values[:, place, :].T, strict=True):
        known = column[~np.isnan(column)]
        if len(known):
            means[name] = _rounded(known.mean())
            intervals[name] = [_rounded(one) for one in bootstrap_interval(known, seed)]
    return {
        "key": measured.keys[place],
        "label": measured.labels[place],
        "settings": measured.settings[place],
        **means,
        "ci": intervals,
        "seconds": round(measured.seconds[place], 2),
    }


def _choose(measured: Measured, folds: int, seed: int) -> dict[str, Any]:
    """Choose a configuration. With less than two folds nothing can be held out: the baseline stays."""
    import numpy as np

    main = measured.main
    if folds < 2:
        return {"best": measured.keys[0], "folds": 0, "better": False, "significant": False, "p": 1.0, "picks": {}}
    picked = choose_by_cross_validation(main, assign_folds(len(main), folds, seed))
    rows = np.arange(len(main))
    held_out = measured.values[rows, picked]
    difference = float((held_out[:, 0] - main[:, 0]).mean())
    p = sign_flip_p(main[:, 0], held_out[:, 0], seed)
    winner = int(np.argmax(np.round(main.mean(axis=0), 12)))
    better = difference > 0 and winner > 0
    picks, counts = np.unique(picked, return_counts=True)
    return {
        "best": measured.keys[winner if better else 0],
        "folds": folds,
        "heldOut": _means(measured.names, held_out),
        "ci": [_rounded(one) for one in bootstrap_interval(held_out[:, 0], seed)],
        "difference": _rounded(difference),
        "p": _rounded(p),
        "better": better,
        "significant": better and p < SIGNIFICANT,
        "picks": {measured.keys[place]: int(number) for place, number in zip(picks, counts, strict=True)},
    }


def _means(names: Sequence[str], values: Numbers) -> dict[str, float]:
    """Return the means of the columns, without those that no question has."""
    import numpy as np

    columns = {name: column[~np.isnan(column)] for name, column in zip(names, values.T, strict=True)}
    return {name: _rounded(column.mean()) for name, column in columns.items() if len(column)}


def _comparison(key: str, against: str, before: Numbers, after: Numbers, seed: int) -> dict[str, Any]:
    difference = after - before
    return {
        "key": key,
        "against": against,
        "difference": _rounded(difference.mean()),
        "ci": [_rounded(one) for one in bootstrap_interval(difference, seed)],
        "p": _rounded(sign_flip_p(before, after, seed)),
        "better": int((difference > 1e-9).sum()),
        "worse": int((difference < -1e-9).sum()),
    }


def _rounded(value: Any) -> float:
    return round(float(value), _DIGITS)


def result_rows(measured: Measured, question_ids: Sequence[int], best: str) -> list[dict[str, Any]]:
    """Return the rows of the results, without the answers."""
    import numpy as np

    place = list(measured.keys).index(best)
    missing = np.isnan(measured.values)
    scaled = np.rint(np.where(missing, 0, measured.values) * 10_000).astype(np.int64)
    main = scaled[:, :, 0]
    return [
        {
            "question_id": question,
            "figures": _with_gaps(scaled[row], missing[row]),
            "answers": [],
            "quality": int(main[row, place]),
            "difference": int(main[row, place] - main[row, 0]),
        }
        for row, question in enumerate(question_ids)
    ]


def _with_gaps(scaled: npt.NDArray[np.int64], missing: npt.NDArray[np.bool_]) -> list[list[int | None]]:
    return [
        [None if gap else value for value, gap in zip(values, gaps, strict=True)]
        for values, gaps in zip(scaled.tolist(), missing.tolist(), strict=True)
    ]


@dataclass(frozen=True)
class Outcome:
    """What a run publishes: the report, and the rows of its results."""

    report: dict[str, Any]
    results: list[dict[str, Any]]
