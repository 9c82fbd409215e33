"""Synthetic documents for benchmarks: with spans, very long ones, and texts with unusual characters."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import Any

SENTENCES, WORDS, VOCABULARY, LABELS = 8, 20, 30_000, 12
_LETTERS = "aaabcdeeefghiiijklmnooopqrstuuvwxyz"
Document = dict[str, Any]


class Corpus:
    """Generates documents of about 1 kB in 8 sentences, words by Zipf's law, a span in each sentence. Deterministic."""

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)
        made = {"".join(self._random.choices(_LETTERS, k=self._random.randint(3, 9))) for _ in range(VOCABULARY)}
        self.words = sorted(made, key=lambda word: (len(word), word))
        self._weights = list(accumulate(1 / rank for rank in range(1, len(self.words) + 1)))

    def document(self, number: int) -> Document:
        """Return a document of 1 kB with 8 spans, 3 metadata values and one category."""
        text, spans = self._sentences(SENTENCES, 1)
        return {
            "identifier": f"document-{number:06d}",
            "title": f"Document {number}",
            "text": text,
            "metadata": {
                "source": f"source{number % 20}",
                "country": f"country{number % 50}",
                "year": 2000 + number % 25,
            },
            "annotations": spans,
            "categories": [{"labelName": f"topic{number % 7}", "label": f"topic{number % 7}", "status": "OK"}],
        }

    def long_document(self, identifier: str, *, sentences: int, spans_each: int) -> Document:
        """Return a document of that many sentences of about 125 characters, with spans in each."""
        text, spans = self._sentences(sentences, spans_each)
        return {"identifier": identifier, "title": identifier, "text": text, "annotations": spans}

    def _sentences(self, count: int, spans_each: int) -> tuple[str, list[dict[str, Any]]]:
        parts: list[str] = []
        spans = []
        position = 0
        drawn = self._random.choices(self.words, cum_weights=self._weights, k=count * WORDS)
        for number in range(count):
            words = drawn[number * WORDS : (number + 1) * WORDS]
            words[0] = words[0].capitalize()
            places = sorted(self._random.sample(range(WORDS), spans_each))
            starts = list(accumulate((len(word) + 1 for word in words), initial=position))
            for place in places:
                label = f"label{self._random.randrange(LABELS)}"
                start, word = starts[place], words[place]
                spans.append({"start": start, "end": start + len(word), "text": word, "labelName": label})
                spans[-1] |= {"label": label, "status": "OK", "creationMode": "manual"}
            sentence = " ".join(words) + ". "
            parts.append(sentence)
            position += len(sentence)
        return "".join(parts).rstrip(), spans


_HARD = (
    "Zoë 👩‍👩‍👧‍👦 met \U0001d50a\U0001d52f\U0001d522\U0001d522\U0001d531 in Łódź",
    "e\u0301crit en de\u0301compose\u0301, puis \u00e9crit compos\u00e9",
    "שלום עולם (hello) مرحبا بالعالم\u200f 123",
    "line one\r\nline two\rline three\u2028line four\u2029line five",
    "tab\there, no\u00a0break, zero\u200bwidth, soft\u00adhyphen, \ufeffmark inside",
    "日本語のテキスト。全角，句点。𠮷野家",
    "<b>&amp; \"quotes\" 'single' \\n \\u0041 {json: [1]}</b>",
    "क्षत्रिय हिन्दी ਪੰਜਾਬੀ தமிழ் 🇫🇷🇯🇵 👍🏽",
    "  two spaces before, and after  ",
    "a\u0300\u0301\u0302\u0303 ﷽ ﬁ ligature Ǆ ẞ ı İ",
)


def unicode_edge_case_documents(count: int = 100) -> list[Document]:
    """Return texts with everything that usually breaks offsets, each with spans over its unusual characters."""
    documents = []
    for number in range(count):
        first, second = _HARD[number % len(_HARD)], _HARD[(number * 7 + 3) % len(_HARD)]
        text = f"{number} {first} | {second} 🙂"
        spans = [
            {"start": start, "end": end, "text": text[start:end], "labelName": "hard", "status": "OK"}
            for start, end in ((len(str(number)) + 1, len(text) - 4), (len(text) - 1, len(text)))
        ]
        documents.append(
            {"identifier": f"hard {number}/é", "title": f"№ {number} 🙂", "text": text, "annotations": spans}
        )
    return documents
