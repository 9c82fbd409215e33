"""Tags the tokens of texts with an encoder: windows, alignment of subwords and tokens, the loss, the best tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from annotarium_engines.learners.bio_tags import decode
from annotarium_engines.learners.subword_windows import SubwordWindow, subword_windows
from annotarium_engines.learners.tag_probabilities import TagProbabilities
from annotarium_engines.tokens import Token, tokenize

if TYPE_CHECKING:
    import torch

    from annotarium_engines.learners.encoder_network import EncoderNetwork
    from annotarium_engines.learners.subword_tokenizer import Subwords, SubwordTokenizer
    from annotarium_engines.model_files import Floats

OVERLAP = 4
"""Neighbouring windows share this part (1/n) of their length."""
IGNORED = -100
"""The target of subwords that get no tag."""


@dataclass
class TokenTagger:
    network: EncoderNetwork
    tokenizer: SubwordTokenizer
    tags: list[str]
    labels: list[str]
    language: str
    window: int

    @property
    def body(self) -> int:
        """Subwords of a text in one window."""
        return self.window - self.tokenizer.special


class SplitText(NamedTuple):
    """A text, split in tokens and subwords; `first_of[token]` is its first subword, -1 if it has none."""

    tokens: list[Token]
    subwords: Subwords
    first_of: list[int]
    windows: list[SubwordWindow]


class TagLoss:
    """Cross-entropy of the tags of the first subwords of the tokens."""

    def __init__(self, targets: list[list[int]], weights: list[float] | None, device: torch.device) -> None:
        import torch

        self._targets, self._device = targets, device
        self._weights = torch.tensor(weights, device=device) if weights is not None else None

    def __call__(self, logits: torch.Tensor, batch: list[int]) -> torch.Tensor:
        import torch
        from torch.nn import functional

        width = logits.shape[1]
        rows = [self._targets[at] + [IGNORED] * (width - len(self._targets[at])) for at in batch]
        targets = torch.tensor(rows, device=self._device).flatten()
        scores = logits.flatten(0, 1)
        total: torch.Tensor = functional.cross_entropy(
            scores, targets, weight=self._weights, ignore_index=IGNORED, reduction="sum"
        )
        return total / (targets != IGNORED).sum().clamp(min=1)


def split_texts(trained: TokenTagger, texts: Sequence[str]) -> list[SplitText]:
    found = []
    for text, subwords in zip(texts, trained.tokenizer.split(texts), strict=True):
        tokens = tokenize(text)
        windows = subword_windows(len(subwords.ids), trained.body, trained.body // OVERLAP)
        found.append(SplitText(tokens, subwords, first_subwords(tokens, subwords.offsets), windows))
    return found


def first_subwords(tokens: Sequence[Token], offsets: Sequence[tuple[int, int]]) -> list[int]:
    """Return for each token the index of the first subword that overlaps it, -1 if there is none.

    A subword that covers several tokens is the first one of the first of these that has no other.
    """
    found, at, taken = [], 0, -1
    for token in tokens:
        while at < len(offsets) and offsets[at][1] <= token.start:
            at += 1
        first = at
        while first < len(offsets) and (first <= taken or offsets[first][0] == offsets[first][1]):
            first += 1
        inside = first < len(offsets) and offsets[first][0] < token.end and offsets[first][1] > token.start
        found.append(first if inside else -1)
        taken = max(taken, first) if inside else taken
    return found


def tag_examples(
    trained: TokenTagger, texts: Sequence[SplitText], gold: Sequence[Sequence[str]]
) -> tuple[list[list[int]], list[list[int]]]:
    """Return the subwords of all windows, and for each subword the number of its tag or `IGNORED`."""
    place = {tag: number for number, tag in enumerate(trained.tags)}
    windows, targets = [], []
    for text, tags in zip(texts, gold, strict=True):
        tag_of = {first: place[tag] for first, tag in zip(text.first_of, tags, strict=True) if first >= 0}
        for one in text.windows:
            row = [
                tag_of.get(at, IGNORED) if one.own_first <= at < one.own_past else IGNORED
                for at in range(one.first, one.past)
            ]
            if any(target != IGNORED for target in row):
                windows.append(trained.tokenizer.framed(text.subwords.ids[one.first : one.past]))
                targets.append([IGNORED] * trained.tokenizer.first + row)
    return windows, targets


def token_probabilities(trained: TokenTagger, texts: Sequence[SplitText]) -> list[Floats]:
    """Return tokens x tags for each text; a token without a subword is outside."""
    import numpy as np

    placed = [(number, one) for number, text in enumerate(texts) for one in text.windows]
    framed = [trained.tokenizer.framed(texts[number].subwords.ids[one.first : one.past]) for number, one in placed]
    of_subwords = [np.zeros((len(text.subwords.ids), len(trained.tags)), dtype=np.float32) for text in texts]
    for (number, one), logits in zip(placed, trained.network.infer(framed), strict=True):
        begin = trained.tokenizer.first + one.own_first - one.first
        shifted = logits[begin : begin + one.own_past - one.own_first]
        shares = np.exp(shifted - shifted.max(axis=1, keepdims=True)) if len(shifted) else shifted
        of_subwords[number][one.own_first : one.own_past] = shares / shares.sum(axis=1, keepdims=True)
    found = []
    for text, rows in zip(texts, of_subwords, strict=True):
        table: Floats = np.zeros((len(text.tokens), len(trained.tags)), dtype=np.float32)
        for index, first in enumerate(text.first_of):
            if first >= 0:
                table[index] = rows[first]
            else:
                table[index, 0] = 1.0
        found.append(table)
    return found


def tag_probabilities(trained: TokenTagger, rows: Floats) -> TagProbabilities:
    column = {tag: number for number, tag in enumerate(trained.tags)}

    def marginal(tag: str, index: int) -> float:
        return float(rows[index, column[tag]]) if tag in column else 0.0

    return TagProbabilities(trained.labels, best_tags(trained.tags, rows), marginal)


def best_tags(tags: Sequence[str], rows: Floats) -> list[str]:
    """Return the sequence of tags with the greatest product of probabilities in which each `I` continues its label.

    Args:
        tags: `O`, then `B` and `I` of each label.
        rows: tokens x tags.
    """
    import numpy as np

    if not len(rows):
        return []
    scores = np.log(np.maximum(rows.astype(np.float64), 1e-12))
    follows = np.array(
        [[not tag.startswith("I-") or before[2:] == tag[2:] for tag in tags] for before in tags], dtype=bool
    )
    step = np.where(follows, 0.0, -np.inf)
    best = np.where([tag.startswith("I-") for tag in tags], -np.inf, scores[0])
    came_from = np.zeros(rows.shape, dtype=np.int64)
    for index in range(1, len(rows)):
        options = best[:, None] + step
        came_from[index] = options.argmax(axis=0)
        best = options.max(axis=0) + scores[index]
    path = [int(best.argmax())]
    for index in range(len(rows) - 1, 0, -1):
        path.append(int(came_from[index, path[-1]]))
    return [tags[number] for number in reversed(path)]


def dev_tag_f1(trained: TokenTagger, dev: Sequence[tuple[SplitText, list[str]]]) -> float:
    """Strict micro F1 of the spans of the dev part."""
    hits = found = right = 0
    rows = token_probabilities(trained, [text for text, _ in dev])
    for (_, gold), table in zip(dev, rows, strict=True):
        predicted, wanted = set(decode(best_tags(trained.tags, table))), set(decode(gold))
        hits, found, right = hits + len(predicted & wanted), found + len(predicted), right + len(wanted)
    return 2 * hits / (found + right) if found + right else 0.0
