"""The texts in which topics are found: read from the database once and then from a temporary file.

Finding topics takes minutes to hours and reads the texts several times. No transaction may be open that long: on
PostgreSQL it prevents the removal of old rows, on SQLite the reset of the write-ahead log.
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
from annotarium.domains.experiments.training_progress import reading_texts_message
from annotarium.domains.trainables.examples import Example, examples_by_granularity, in_dataset
from annotarium.settings import get_settings
from annotarium_plugins.base.component import Progress, no_progress
from annotarium_plugins.base.topic_learner import TopicLearner
from annotarium_schemas.documents import Document


class _StoredText(NamedTuple):
    """One line of the file. `tested`: whether it is in the project's test part."""

    group: str
    tested: bool
    name: str
    start: int
    identifier: str
    title: str | None
    text: str
    metadata: dict[str, Any]

    def document(self) -> Document:
        """The document as learners receive it, without labelling."""
        return Document(identifier=self.identifier, title=self.title, text=self.text, metadata=self.metadata)


class TopicCorpus:
    """All texts of a project that a topic learner may read, in an unnamed temporary file.

    Memory use does not grow with the corpus. Not thread-safe: only one thread may read at a time.
    """

    def __init__(self) -> None:
        folder = get_settings().uploads_folder
        folder.mkdir(parents=True, exist_ok=True)
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        self._end = 0

    @classmethod
    def read(
        cls,
        call: ProjectCall,
        learner: TopicLearner[Any],
        group_field: str = "",
        progress: Progress = no_progress,
    ) -> TopicCorpus:
        """Copy the texts that the learner may read. Only this step needs the transaction of the call.

        Args:
            group_field: metadata field whose values keep documents in the same part when texts are held out.
            progress: called for every 200 texts, so that the job can be cancelled meanwhile.
        """
        corpus, project = cls(), call.project
        examples = examples_by_granularity(call.session, project, whole=learner.collection == "documents")
        for number, example in enumerate(examples, start=1):
            if number % 200 == 0:
                progress(0, 100, reading_texts_message(number))
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
        # ASCII with escapes, so that lone surrogates, which UTF-8 cannot encode, survive the round trip.
        self._end += self._file.write(json.dumps(row).encode("ascii") + b"\n")

    def __iter__(self) -> Iterator[_StoredText]:
        offset = 0
        while offset < self._end:
            self._file.seek(offset)  # iterations may be interleaved
            line = self._file.readline()
            offset += len(line)
            yield _StoredText(*json.loads(line))

    def close(self) -> None:
        """Delete the temporary file."""
        self._file.close()


@dataclass
class TopicCorpusPart:
    """A part of the texts, to find topics in or to evaluate them on; each iteration reads the file again.

    `part` selects the texts outside ("learn") or inside ("test") the project's test part. `without` excludes groups;
    `only`, if set, selects groups. After an iteration `fingerprint` identifies and `count` counts the texts it yielded.
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
        """Yield each text with its group."""
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
