"""Scores the categories of texts with an encoder: windows, the loss, logits, and what makes scores of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from annotarium_engines.learners.subword_windows import subword_windows

if TYPE_CHECKING:
    import torch

    from annotarium_engines.learners.encoder_network import EncoderNetwork
    from annotarium_engines.learners.linear_model import LinearModel, Marks
    from annotarium_engines.learners.subword_tokenizer import SubwordTokenizer
    from annotarium_engines.model_files import Floats


@dataclass
class TextScorer:
    network: EncoderNetwork
    tokenizer: SubwordTokenizer
    decision: LinearModel
    language: str
    window: int

    @property
    def body(self) -> int:
        """Subwords of a text in one window."""
        return self.window - self.tokenizer.special


class CategoryLoss:
    """Exclusive: the logarithm of the probability of the labels that may be right; otherwise binary cross-entropy of
    the labels that are known. Windows count by their share of their text.
    """

    def __init__(
        self, marks: Marks, shares: Sequence[float], weights: Floats | None, exclusive: bool, device: torch.device
    ) -> None:
        import torch

        self._marks = torch.from_numpy(marks).to(device)
        self._shares = torch.tensor(shares, device=device)
        self._weights = torch.from_numpy(weights).to(device) if weights is not None else None
        self._exclusive = exclusive

    def __call__(self, logits: torch.Tensor, batch: list[int]) -> torch.Tensor:
        marks, shares = self._marks[batch], self._shares[batch]
        losses = self._exclusive_losses(logits, marks) if self._exclusive else self._binary_losses(logits, marks)
        return (losses * shares).sum() / shares.sum()

    def _exclusive_losses(self, logits: torch.Tensor, marks: torch.Tensor) -> torch.Tensor:
        right = marks == 1
        possible = right | ((marks == 0) & ~right.any(dim=1, keepdim=True))
        allowed = logits.masked_fill(~possible, -1e4)
        losses = logits.logsumexp(dim=1) - allowed.logsumexp(dim=1)
        if self._weights is None:
            return losses
        weights = (self._weights * right).sum(dim=1) / right.sum(dim=1).clamp(min=1)
        return losses * weights.where(right.any(dim=1), weights.new_ones(()))

    def _binary_losses(self, logits: torch.Tensor, marks: torch.Tensor) -> torch.Tensor:
        from torch.nn import functional

        known = (marks != 0).to(logits.dtype)
        losses = functional.binary_cross_entropy_with_logits(
            logits, (marks == 1).to(logits.dtype), pos_weight=self._weights, reduction="none"
        )
        return (losses * known).sum(dim=1) / known.sum(dim=1).clamp(min=1)


def new_decision(labels: list[str], exclusive: bool) -> LinearModel:
    """Return what makes scores of logits."""
    import numpy as np

    from annotarium_engines.learners.linear_model import LinearModel

    count = len(labels)
    unit, zero = np.eye(count, dtype=np.float32), np.zeros(count, dtype=np.float32)
    return LinearModel(labels, unit, zero, exclusive, sharpness=1.0, thresholds=[0.0] * count)


def text_windows(trained: TextScorer, texts: Sequence[str]) -> list[list[list[int]]]:
    """Return the subwords of the windows of each text; an empty text has one, without subwords of its own."""
    return [
        [
            trained.tokenizer.framed(subwords.ids[one.first : one.past])
            for one in subword_windows(len(subwords.ids), trained.body, 0)
        ]
        for subwords in trained.tokenizer.split(texts)
    ]


def text_logits(trained: TextScorer, texts: Sequence[Sequence[list[int]]]) -> Floats:
    """Return texts x labels: the mean of the windows of each text."""
    import numpy as np

    rows = iter(trained.network.infer([window for windows in texts for window in windows]))
    means = [np.mean([next(rows) for _ in windows], axis=0) for windows in texts]
    return np.asarray(means, dtype=np.float32).reshape(len(texts), len(trained.decision.labels))


def dev_category_f1(logits: Floats, marks: Any, exclusive: bool) -> float:
    """Exclusive: the share of texts with a right label first; otherwise micro F1 with the best common threshold."""
    import numpy as np

    if exclusive:
        judged = np.flatnonzero((marks == 1).any(axis=1))
        best = logits[judged].argmax(axis=1)
        return float((marks[judged, best] == 1).mean())
    from annotarium_engines.learners.linear_model import best_threshold

    values, known = logits.astype(np.float64).ravel(), marks.ravel()
    found = (values > best_threshold(values, known)) & (known != 0)
    right = known == 1
    return float(2 * (found & right).sum() / max(1, found.sum() + right.sum()))
