"""Documents whose sentences resemble each other: `from support.similar_sentences import similar_documents`.

Each document repeats two invented names of its own in ten sentences. In half of the sentences the context determines
the label of a name; in the others the name must be known already. A learner that is trained on some sentences of a
document and tested on the others therefore scores better than on unseen documents.
"""

from __future__ import annotations

import random
from typing import Any

from support.factories import document

LABELS = ("person", "place", "ship")
_CLEAR = {
    "person": ("Mother said that {} was hungry", "Doctor {} wrote a letter"),
    "place": ("The road to {} was closed", "They lived in {} for a year"),
    "ship": ("The crew of {} went ashore", "Captain and sailors left {} behind"),
}
_VAGUE = (
    "Nobody had heard of {} before",
    "In the evening {} was quiet",
    "People talked about {} again",
    "After that {} was forgotten",
    "It was {} that everybody remembered",
)
_SYLLABLES = ("ba", "ke", "lo", "mi", "nu", "ra", "so", "ti", "ve", "zu", "pha", "gro")


def similar_documents(count: int, *, seed: int, prefix: str = "d", **more: Any) -> list[dict[str, Any]]:
    """Return `count` documents of ten sentences, the same for the same seed.

    Args:
        prefix: the start of their identifiers.
        more: further fields of each document (`metadata`).
    """
    chance = random.Random(seed)
    return [_document(f"{prefix}{number:04d}", chance, more) for number in range(count)]


def _name(chance: random.Random) -> str:
    return "".join(chance.choice(_SYLLABLES) for _ in range(3)).capitalize()


def _document(identifier: str, chance: random.Random, more: dict[str, Any]) -> dict[str, Any]:
    names = [(_name(chance), chance.choice(LABELS)) for _ in range(2)]
    sentences, spans, offset = [], [], 0
    for number in range(10):
        name, label = names[number % 2]
        pattern = chance.choice(_CLEAR[label] if chance.random() < 0.5 else _VAGUE)
        start = offset + pattern.index("{}")
        spans.append({"start": start, "end": start + len(name), "text": name, "labelName": label})
        sentences.append(pattern.format(name) + ".")
        offset += len(sentences[-1]) + 1
    text = "\n".join(sentences)
    places, at = [], 0
    for one in sentences:
        places.append({"start": at, "end": at + len(one)})
        at += len(one) + 1
    return document(identifier, text, annotations=spans, sentences=places, **more)
