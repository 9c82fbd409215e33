"""The texts that topics are found in, read from the database once and then from a file of their own.

Finding topics takes minutes to hours, and texts are read several times meanwhile. No transaction may be open for so
long: on PostgreSQL it keeps old rows from being removed, on SQLite the write-ahead log from being reset.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from annotarium.access.call import ProjectCall
from annotarium.content.holdout import holdout_group_of_document
from annotarium.domains.trainables.examples import Example, examples_by_granularity, in_dataset
from annotarium.settings import get_settings
from annotarium_plugins.base.topic_learner import TopicLearner
from annotarium_schemas.documents import Document


class _StoredText(NamedTuple):
    """One line of the file. `tested`: of the project's own test part."""

    group: str
    tested: bool
    name: str
    start: int
    identifier: str
    title: str | None
    text: str
    metadata: dict[str, Any]

    def document(self) -> Document:
        """The text as learners read it, without labelling."""
        return Document(identifier=self.identifier, title=self.title, text=self.text, metadata=self.metadata)


class TopicCorpus:
    """All texts of a project that a topic learner may read, in a file without a name that ends with this object.

    Memory does not grow with the corpus. One thread at a time reads.
    """

    def __init__(self) -> None:
        folder = get_settings().uploads_folder
        folder.mkdir(parents=True, exist_ok=True)
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        self._end = 0

    @classmethod
    def read(cls, call: ProjectCall, learner: TopicLearner[Any], group_field: str = "") -> TopicCorpus:
        """Copy what the learner may read: the only part that needs the transaction of the call.

        Args:
            group_field: metadata field whose values keep documents together when texts are kept aside.
        """
        corpus, project = cls(), call.project
        for example in examples_by_granularity(call.session, project, whole=learner.collection == "documents"):
            if learner.scope == "all" or in_dataset(example):
                tested = project.has_split and example.split == "test"
                corpus._append(
                    example, holdout_group_of_document(example.name, example.document.metadata, group_field), tested
                )
        return corpus

    def _append(self, example: Example, group: str, tested: bool) -> None:
        one = example.document
        row = _StoredText(
            group, tested, example.name, example.start, one.identifier or "", one.title, one.text, one.metadata
        )
        # ASCII with escapes: also what cannot be encoded as UTF-8 (half a surrogate pair) comes back as it was.
        self._end += self._file.write(json.dumps(row).encode("ascii") + b"\n")

    def __iter__(self) -> Iterator[_StoredText]:
        offset = 0
        while offset < self._end:
            self._file.seek(offset)  # each walk has its own position
            line = self._file.readline()
            offset += len(line)
            yield _StoredText(*json.loads(line))

    def close(self) -> None:
        """Delete the file."""
        self._file.close()


@dataclass
class TopicCorpusPart:
    """The part of the texts that is found in or measured on; each walk reads the file anew.

    What is in the project's own test part is left out, or all the rest with `part` = "test"; and so is what is in the
    groups `without`, or all the rest with `only`. `fingerprint` identifies what the last walk read, `count` counts it.
    """

    corpus: TopicCorpus
    part: Literal["learn", "test"] = "learn"
    without: frozenset[str] = frozenset()
    only: frozenset[str] | None = None
    fingerprint: str = field(default="", init=False)
    count: int = field(default=0, init=False)

    def __iter__(self) -> Iterator[Document]:
        return (document for _, document in self.grouped())

    def grouped(self) -> Iterator[tuple[str, Document]]:
        """Each text with the group of its document."""
        digest, self.count = hashlib.sha256(), 0
        for row in self.corpus:
            if row.tested != (self.part == "test") or row.group in self.without:
                continue
            if self.only is not None and row.group not in self.only:
                continue
            self.count += 1
            digest.update(f"{row.name}:{row.start}:{len(row.text)}".encode(errors="surrogatepass"))
            yield row.group, row.document()
        self.fingerprint = digest.hexdigest()
