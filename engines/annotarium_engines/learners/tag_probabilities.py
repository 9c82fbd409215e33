"""From probabilities of token tags to scored spans, for all learners that tag tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from annotarium_engines.learners.bio_tags import OUTSIDE, TokenSpan, decode
from annotarium_engines.tokens import Token
from annotarium_schemas.documents import Annotation, Document

_DOUBT_WEIGHT = 0.1
"""Factor by which ranking reduces the probability of "outside", so that missed entities are proposed too."""


class TagProbabilities:
    """Probabilities of the tags of one sequence of tokens.

    Args:
        labels: names of the labels, sorted.
        best: the most probable tags of the sequence.
        marginal: returns the probability of a tag at a token, 0 for a tag that the model does not have.
    """

    def __init__(self, labels: Sequence[str], best: list[str], marginal: Callable[[str, int], float]) -> None:
        self.labels = labels
        self._best, self._marginal = best, marginal
        self._outside = [marginal(OUTSIDE, index) for index in range(len(best))]

    def spans(self, outside_weight: float) -> list[TokenSpan]:
        """Return the most probable spans; with a weight below 1, those of tags chosen one by one with a reduced
        "outside".
        """
        if outside_weight >= 1:
            return decode(self._best)
        return decode(self._light_tags(outside_weight))

    def _light_tags(self, weight: float) -> list[str]:
        tags: list[str] = []
        previous = ""
        for index, outside in enumerate(self._outside):
            best, best_score = OUTSIDE, outside * weight
            if best_score < 1 - outside:  # otherwise no label can win
                for label in self.labels:
                    options = ("B", "I") if label == previous else ("B",)
                    for kind in options:
                        score = self._marginal(f"{kind}-{label}", index)
                        if score > best_score:
                            best, best_score = f"{kind}-{label}", score
            previous = best[2:]
            tags.append(best)
        return tags

    def candidates(self, outside_weight: float) -> list[TokenSpan]:
        """Return the predicted spans and, elsewhere, the spans that a reduced "outside" gives, in text order."""
        found = self.spans(outside_weight)
        taken = {index for span in found for index in range(span.first, span.past)}
        doubtful = decode(self._light_tags(min(_DOUBT_WEIGHT, outside_weight)))
        found += [span for span in doubtful if taken.isdisjoint(range(span.first, span.past))]
        return sorted(found)

    def score(self, span: TokenSpan) -> float:
        """Return the smallest probability of the span's tags, 0..1."""
        first = self._marginal(f"B-{span.label}", span.first)
        if first == 0.0:
            first = self._marginal(f"I-{span.label}", span.first)
        inner = (self._marginal(f"I-{span.label}", index) for index in range(span.first + 1, span.past))
        return min(1.0, max(0.0, min([first, *inner])))


Scored = Iterable[tuple[Sequence[Token], TagProbabilities]]
"""The sequences of a text in order: their tokens, and the probabilities of their tags."""


def with_predicted_spans(document: Document, scored: Scored, outside_weight: float) -> Document:
    """Return a copy with the predicted spans, which never overlap. A span's score is the smallest probability of its
    tokens' tags.
    """
    found = [
        _annotation(document.text, tokens, span, scores.score(span))
        for tokens, scores in scored
        for span in scores.spans(outside_weight)
    ]
    return _with_annotations(document, found)


def with_ranked_spans(document: Document, scored: Scored, outside_weight: float, *, limit: int) -> Document:
    """Return a copy with up to `limit` labels, best first, for each span that is or may be an entity; they share start
    and end.

    The scores of a span's labels add up to 1 at most; the difference to 1 is the probability that there is no entity.
    """
    found: list[Annotation] = []
    for tokens, scores in scored:
        for span in scores.candidates(outside_weight):
            rivals = sorted(
                ((scores.score(TokenSpan(span.first, span.past, label)), label) for label in scores.labels),
                key=lambda pair: (-pair[0], pair[1]),
            )
            found.extend(
                _annotation(document.text, tokens, TokenSpan(span.first, span.past, label), score)
                for score, label in rivals[:limit]
                if score > 0
            )
    return _with_annotations(document, found)


def _annotation(text: str, tokens: Sequence[Token], span: TokenSpan, score: float) -> Annotation:
    start, end = tokens[span.first].start, tokens[span.past - 1].end
    return Annotation(
        start=start, end=end, text=text[start:end], label_name=span.label, score=score, creation_mode="automatic"
    )


def _with_annotations(document: Document, annotations: list[Annotation]) -> Document:
    return document.model_copy(update={"annotations": annotations, "categories": []})
