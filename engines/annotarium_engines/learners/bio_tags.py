"""Converts spans to token tags and back. Tags are `O`, `B-<label>`, `I-<label>`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from annotarium_engines.tokens import Token
from annotarium_schemas.documents import Annotation

OUTSIDE = "O"
_LONGEST_SEQUENCE = 400
_SENTENCE_ENDS = frozenset(".!?…。！？")


class TokenSpan(NamedTuple):
    """Tokens `first <= index < past` have the label `label`."""

    first: int
    past: int
    label: str


def encode(tokens: Sequence[Token], annotations: Iterable[Annotation], labels: frozenset[str]) -> list[str]:
    """Return the tags of the tokens for confirmed annotations with one of the labels.

    Tags cannot overlap: of overlapping annotations the longest is used, then the first, then the one whose label sorts
    first. The tokens of a rejected annotation (status KO) stay `O`; this is how the model learns from rejections. A
    token that an annotation covers in part belongs to it as a whole.
    """
    tags = [OUTSIDE] * len(tokens)
    confirmed = (one for one in annotations if one.status != "KO" and one.label_name in labels)
    for one in sorted(confirmed, key=lambda one: (one.start - one.end, one.start, one.label_name or "")):
        inside = [index for index, token in enumerate(tokens) if token.start < one.end and token.end > one.start]
        if inside and all(tags[index] == OUTSIDE for index in inside):
            for index in inside:
                tags[index] = f"I-{one.label_name}"
            tags[inside[0]] = f"B-{one.label_name}"
    return tags


def decode(tags: Sequence[str]) -> list[TokenSpan]:
    """Return the spans of the tags; an `I` without a preceding tag of its label starts a span."""
    spans: list[TokenSpan] = []
    first, label = 0, ""
    for index, tag in enumerate([*tags, OUTSIDE]):
        kind, _, name = tag.partition("-")
        if label and (kind != "I" or name != label):
            spans.append(TokenSpan(first, index, label))
            label = ""
        if kind != OUTSIDE and not label:
            first, label = index, name
    return spans


def split_sequence(
    tokens: Sequence[Token], *, may_cut: Callable[[int], bool] = lambda index: True
) -> list[tuple[int, int]]:
    """Return ranges of at most about 400 tokens: memory and time of a sequence model grow with its longest sequence.

    A range ends after the last sentence end in it, otherwise at its limit, and never before a token for which
    `may_cut(index)` is false.
    """
    ranges, first = [], 0
    while len(tokens) - first > _LONGEST_SEQUENCE:
        limit = first + _LONGEST_SEQUENCE
        ends = (at for at in range(limit, first + 1, -1) if tokens[at - 1].text[-1] in _SENTENCE_ENDS and may_cut(at))
        past = next(ends, None)
        if past is None:
            past = next((at for at in range(limit, len(tokens)) if may_cut(at)), len(tokens))
        ranges.append((first, past))
        first = past
    if first < len(tokens):
        ranges.append((first, len(tokens)))
    return ranges
