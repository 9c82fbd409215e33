"""Words of a long import, cut once where its documents are converted instead of in each of the two index helpers.

The text of a document never changes, so the words cut from it stay as true as the record. Everything else is read from
the record as ever; words that do not fit what is there (other segments, another language) are not used. They travel in
files without a name which the helpers inherit, so that a pipe that is full keeps nobody waiting.
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
"""Code points of a text whose words are cut ahead: those of longer ones would fill the converter's memory."""
_KNOWN_INFLECTED = 200_000
Range = tuple[int, int]


class Tokenizer:
    """Cuts texts in the process that converts them.

    Its analyser is its own and knows nothing at the start, so that each inflected word is told of once: see `inflected`
    of `Analyser`.
    """

    def __init__(self, language: str) -> None:
        self._analyser = Analyser(language)
        self._new_inflected = self._analyser.collect_inflected()

    def tokenize(self, text: str, segments: Sequence[Range]) -> bytes:
        """The words of a text as `TokenizedText.load` reads them, nothing for a very long one."""
        if len(text) > MAX_TEXT_LENGTH:
            return b""
        borders = list(chain.from_iterable(segments))
        return orjson.dumps([borders, self._analyser.lines(text, borders)])

    def new_inflected(self) -> bytes:
        """Inflected words that were met since the last call, nothing when there are none."""
        if not self._new_inflected:
            return b""
        told = orjson.dumps(self._new_inflected)
        self._new_inflected.clear()
        return told


class TokenizedText(NamedTuple):
    """The words of one text: lines of terms before, in, between and after its segments, whose borders are given."""

    borders: list[int]
    lines: list[str]

    @classmethod
    def load(cls, words: bytes) -> TokenizedText | None:
        """What `Tokenizer.cut` wrote."""
        return cls._make(orjson.loads(words)) if words else None

    def is_split_at(self, segments: Sequence[Range]) -> bool:
        """Whether it was cut at these segments."""
        return self.borders == list(chain.from_iterable(segments))

    def whole(self) -> Tokens:
        """The words of the text, as a line only."""
        return Tokens((), (), (), None, {}, " ".join(filter(None, self.lines)))

    def parts(self, whole: Tokens) -> Iterator[Tokens]:
        """The words of each segment, as lines only."""
        for line in self.lines[1::2]:
            yield Tokens((), (), (), whole, None, line)


class TokenizedBatch:
    """The words of a batch, as a helper gets them, with all inflected words that the import told of so far."""

    def __init__(self) -> None:
        self.language = ""
        self.texts: dict[int, TokenizedText] = {}
        self._inflected: dict[str, str] = {}

    def read(self, documents: Sequence[int], file: int, size: int, language: str) -> None:
        """Take what `TokenFiles.put` wrote for these documents."""
        new_inflected, *lines = os.pread(file, size, 0).split(b"\n")
        if len(self._inflected) > _KNOWN_INFLECTED:
            self._inflected.clear()  # they are in the index; only one that is built anew meanwhile would miss them
        for told in orjson.loads(new_inflected):
            self._inflected |= told
        texts = zip(documents, map(TokenizedText.load, lines), strict=True)
        self.texts = {document: text for document, text in texts if text is not None}
        self.language = language

    def tokens_of(self, document: int, segments: Sequence[Range]) -> TokenizedText | None:
        """The words of a document, when they were cut at these segments."""
        found = self.texts.get(document)
        return found if found is not None and found.is_split_at(segments) else None

    def attach_inflected(self, items: Sequence[IndexDoc], analyser: Analyser) -> None:
        """Have the index keep the inflected words with the first of its items."""
        for tokens in (item.tokens for item in items[:1] if item.tokens):
            whole = tokens.sliced_from or tokens
            whole.inflected = {**analyser.inflected(whole), **self._inflected}


class TokenFiles:
    """Files for the words of the batches that are on their way to the helpers; each is used again later.

    Args:
        count: batches that may be on their way together.
    """

    def __init__(self, folder: Path, count: int) -> None:
        self._files = [tempfile.TemporaryFile(dir=folder) for _ in range(count)]  # noqa: SIM115
        self._next_file = 0

    def put(
        self, documents: Sequence[int], words: Mapping[int, bytes], inflected: Sequence[bytes]
    ) -> tuple[int, int] | None:
        """Write the words of a batch; where they are (descriptor, bytes), None when they cannot be written."""
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
        """Give the files back."""
        for file in self._files:
            file.close()
