"""Reads files of questions, in the child process that also converts documents: with limits of time and memory, without
network, archives unpacked within their limits.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import orjson

from annotarium.domains.questions import beir_format
from annotarium.domains.questions.question_items import Item, MaybeJudgement, in_batches
from annotarium.domains.questions.squad_format import SquadReader
from annotarium.files.file_locks import locked_folder
from annotarium.importing import archives
from annotarium.importing.convert import ConverterProcess, PrepareConverted
from annotarium.importing.sources import SourceReader
from annotarium.settings import get_settings
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_schemas.messages import message

_READER = "questions"
EXTENSIONS = ("json", "jsonl", "ndjson", "tsv")
"""Extensions of the files that are read; others are refused. Archives contain such files."""


class _QuestionFile:
    """Reads one file after the other, in the place of a converter. Runs in the child process."""

    def __init__(self) -> None:
        self._squad = SquadReader()

    def convert(self, source: SourceFile) -> Iterator[Item]:
        """Yield documents, questions and batches of judgements.

        Raises:
            ComponentError: the file as a whole cannot be read.
        """
        name = source.name.lower()
        if name.endswith(".tsv"):
            items: Iterator[MaybeJudgement] = beir_format.read_judgements(source.path)
        elif name.endswith((".jsonl", ".ndjson")):
            items = beir_format.read_lines(source.path, corpus="corpus" in name.rpartition("/")[2])
        else:
            items = self._json(source)
        yield from in_batches(items)

    def _json(self, source: SourceFile) -> Iterator[MaybeJudgement]:
        try:
            content = orjson.loads(source.path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
        except orjson.JSONDecodeError as error:
            raise ComponentError(
                message("question.noJson", "The file is not JSON"),
                cause=str(error),
                fix=message("fix.check", "Check the file"),
            ) from error
        if isinstance(content, dict) and isinstance(content.get("data"), list):
            yield from self._squad.read(content["data"], source.name)
            return
        listed = content.get("questions") if isinstance(content, dict) else content
        if not isinstance(listed, list):
            raise ComponentError(
                message("question.noList", "The file contains no list of questions"),
                fix=message("fix.questionFile", "Choose a list of questions, a SQuAD file or a BEIR archive"),
            )
        for number, value in enumerate(listed, start=1):
            place = f"question {number}"
            if isinstance(value, str):
                value = {"text": value}
            if isinstance(value, dict):
                yield from beir_format.read_question(place, value)
            else:
                yield ItemError(place, message("question.noObject", "The question is not an object"))


def _builder() -> Callable[[str, dict[str, Any]], Converter[Any]]:
    """Builds the reader, the same for all files of an import."""
    reader = _QuestionFile()

    def build(_name: str, _parameters: dict[str, Any]) -> Converter[Any]:
        return cast(Converter[Any], reader)

    return build


@contextmanager
def open_question_reader(finish: PrepareConverted, language: str) -> Iterator[tuple[SourceReader, ConverterProcess]]:
    """Open a reader of files of questions and the process that parses them.

    Args:
        finish: prepares a document or a `JudgementBatch`, in that process.
    """
    settings = get_settings()
    limits = archives.ArchiveLimits(settings.archive_entries, settings.archive_bytes, settings.archive_ratio)
    with (
        tempfile.TemporaryDirectory(dir=settings.uploads_folder, prefix="import-") as folder,
        locked_folder(Path(folder)),
        ConverterProcess(_builder(), finish) as process,
    ):
        find = {extension: _READER for extension in EXTENSIONS}.get
        yield SourceReader(process, find, Path(folder), limits, language), process
