"""Tokens of a long import, made once by the process that converts documents instead of in both indexing helpers.

The text of a document never changes, so its tokens stay valid. Everything else is read from the database. Tokens that
do not match it (other segments, another language) are not used. The tokens are passed in unnamed files, which the
helpers inherit, so that a full pipe never blocks the import.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import orjson

from annotarium.search.index_and_search_types import IndexDoc
from annotarium.search.text_analysis import Analyser, Tokens

MAX_TEXT_LENGTH = 200_000
"""Code points of a text up to which it is tokenized in advance: longer ones would take too much of the converter's
memory.
"""
_KNOWN_INFLECTED = 200_000
Range = tuple[int, int]


class Tokenizer:
    """Tokenizes texts in the process that converts them.

    It has an analyser of its own with an empty cache, so that each inflected word is reported once: see
    `Analyser.inflected`.
    """

    def __init__(self, language: str) -> None:
        self._analyser = Analyser(language)
        self._new_inflected = self._analyser.collect_inflected()

    def tokenize(self, text: str, segments: Sequence[Range]) -> bytes:
        """Return the tokens of a text for `TokenizedText.load`, empty for a very long text."""
        if len(text) > MAX_TEXT_LENGTH:
            return b""
        borders = list(chain.from_iterable(segments))
        return orjson.dumps([borders, self._analyser.lines(text, borders)])

    def new_inflected(self) -> bytes:
        """Return the inflected words that are new since the last call as JSON, empty when there are none."""
        if not self._new_inflected:
            return b""
        told = orjson.dumps(self._new_inflected)
        self._new_inflected.clear()
        return told


class TokenizedText(NamedTuple):
    """The tokens of one text: `lines` of terms before, in, between and after its segments, which are split at
    `borders`.
    """

    borders: list[int]
    lines: list[str]

    @classmethod
    def load(cls, words: bytes) -> TokenizedText | None:
        """Read the output of `Tokenizer.tokenize`."""
        return cls._make(orjson.loads(words)) if words else None

    def is_split_at(self, segments: Sequence[Range]) -> bool:
        """Return whether the text was split at these segments."""
        return self.borders == list(chain.from_iterable(segments))

    def whole(self) -> Tokens:
        """Return the tokens of the text, as a line only."""
        return Tokens((), (), (), None, {}, " ".join(filter(None, self.lines)))

    def parts(self, whole: Tokens) -> Iterator[Tokens]:
        """Yield the tokens of each segment, as lines only."""
        for line in self.lines[1::2]:
            yield Tokens((), (), (), whole, None, line)


class TokenizedBatch:
    """The tokens of a batch as read by a helper, with all inflected words of the import so far."""

    def __init__(self) -> None:
        self.language = ""
        self.texts: dict[int, TokenizedText] = {}
        self._inflected: dict[str, str] = {}

    def read(self, documents: Sequence[int], file: int, size: int, language: str) -> None:
        """Read what `TokenFiles.put` wrote for these documents."""
        new_inflected, *lines = os.pread(file, size, 0).split(b"\n")
        if len(self._inflected) > _KNOWN_INFLECTED:
            self._inflected.clear()  # they are indexed already; only an index rebuilt meanwhile would miss them
        for told in orjson.loads(new_inflected):
            self._inflected |= told
        texts = zip(documents, map(TokenizedText.load, lines), strict=True)
        self.texts = {document: text for document, text in texts if text is not None}
        self.language = language

    def tokens_of(self, document: int, segments: Sequence[Range]) -> TokenizedText | None:
        """Return the tokens of a document, None when there are none for these segments."""
        found = self.texts.get(document)
        return found if found is not None and found.is_split_at(segments) else None

    def attach_inflected(self, items: Sequence[IndexDoc], analyser: Analyser) -> None:
        """Attach the inflected words to the first of the items, so that the engine stores them."""
        for tokens in (item.tokens for item in items[:1] if item.tokens):
            whole = tokens.sliced_from or tokens
            whole.inflected = {**analyser.inflected(whole), **self._inflected}


class TokenFiles:
    """Files for the tokens of batches that the helpers have not read yet; they are reused in turn.

    Args:
        count: number of batches that may be waiting at the same time.
    """

    def __init__(self, folder: Path, count: int) -> None:
        self._files = [tempfile.TemporaryFile(dir=folder) for _ in range(count)]  # noqa: SIM115
        self._next_file = 0

    def put(
        self, documents: Sequence[int], words: Mapping[int, bytes], inflected: Sequence[bytes]
    ) -> tuple[int, int] | None:
        """Write the tokens of a batch. Returns `(descriptor, bytes)`, or None when they cannot be written."""
        file = self._files[self._next_file % len(self._files)].fileno()
        self._next_file += 1
        lines = [words.get(document, b"") for document in documents]
        content = b"\n".join([b"[" + b",".join(inflected) + b"]", *lines])
        with suppress(OSError):
            os.ftruncate(file, 0)
            if os.pwrite(file, content, 0) == len(content):
                return file, len(content)
        return None

    def close(self) -> None:
        """Close and thereby delete the files."""
        for file in self._files:
            file.close()
