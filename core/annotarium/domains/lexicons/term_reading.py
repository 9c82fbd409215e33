"""Reads files into terms, in the child process that also converts documents: with limits of time and memory, without
network, archives unpacked within their limits.

That process sends documents. A batch of terms and problems travels as the text of one: a JSON object a line.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import orjson

from annotarium.domains.lexicons.term_values import shorten_value
from annotarium.files.file_locks import locked_folder
from annotarium.importing import archives
from annotarium.importing.convert import ConversionLimits, ConverterProcess
from annotarium.importing.document_preparation import PreparedDocument
from annotarium.importing.sources import Source, SourceReader
from annotarium.registry import get_registry
from annotarium.registry.entry_points import OWN_DISTRIBUTION
from annotarium.settings import get_settings
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.base.term_importer import SeenIdentifiers, TermImporter
from annotarium_schemas.documents import Document, Term
from annotarium_schemas.messages import message, message_of, restore_message

KIND = "termImporter"
_BATCH_TERMS, _BATCH_BYTES = 200, 1_000_000
_LONGEST_PLACE, _LONGEST_TEXT = 300, 1_000
_PREVIEW_COLUMNS = 1_000
_LANGUAGE = "xx"
LIMITS = ConversionLimits(processor=3_600, wall=1_800.0)
"""Formats whose statements about a term are scattered are read to their end before the first term comes."""


@dataclass(frozen=True)
class ReadProblem:
    """What is wrong with a row of a file. `refused`: it did not become a term; otherwise a part of it is missing.

    With `summed` it stands for `count` more problems of a kind that was reported already.
    """

    place: str
    message: str
    fix: str | None = None
    refused: bool = True
    count: int = 1
    summed: bool = False


@dataclass(frozen=True)
class ReadPreview:
    """The beginning of a file, as JSON."""

    value: dict[str, Any]


def importer_for_extension(extension: str) -> str | None:
    """The name of the term importer for this file extension, or None: the product's own first, then the one that names
    the extension earliest among its own, then by name.
    """
    return _importers_by_extension().get(extension.lower())


@lru_cache(maxsize=1)
def _importers_by_extension() -> dict[str, str]:
    registry = get_registry()
    rows = [row for row in registry.list(KIND) if row.state == "available"]
    ranked: list[tuple[bool, int, str, str]] = []
    for row in rows:
        try:
            cls = registry.component_class(KIND, row.name)
        except Exception:  # noqa: BLE001  (a broken component is shown by the registry and passed over here)
            continue
        for place, extension in enumerate(getattr(cls, "extensions", ())):
            ranked.append((row.distribution != OWN_DISTRIBUTION, place, row.name, extension))
    found: dict[str, str] = {}
    for _, _, name, extension in sorted(ranked):
        found.setdefault(extension, name)
    return found


class _TermFile:
    """A term importer in the place of a converter. Runs in the child process.

    Args:
        seen: identifiers of the files read before.
        preview: only the beginning of the file is read.
    """

    def __init__(self, importer: TermImporter[Any], seen: SeenIdentifiers, *, preview: bool) -> None:
        self._importer, self._seen, self._preview = importer, seen, preview

    def convert(self, source: SourceFile) -> Iterator[Document]:
        """Yield batches; the first one may be empty, so that a file without terms is no error of its own."""
        if self._preview:
            yield Document(text=_preview_line(self._importer, source).decode())
            return
        lines: list[bytes] = [b"{}"]
        size = 0
        for found in self._importer.read(source, self._seen):
            line = _problem_line(found) if isinstance(found, ItemError) else _term_line(found)
            lines.append(line)
            size += len(line)
            if len(lines) >= _BATCH_TERMS or size >= _BATCH_BYTES:
                yield Document(text=b"\n".join(lines).decode())
                lines, size = [], 0
        if lines:
            yield Document(text=b"\n".join(lines).decode())


def _term_line(term: Term) -> bytes:
    value = {"identifier": term.identifier, "form": term.preferred_form, "properties": term.properties}
    try:
        return orjson.dumps(value)
    except (orjson.JSONEncodeError, TypeError) as error:
        words = message("term.value", "A value of the term cannot be stored: {why}", why=str(error)[:200])
        return _problem_line(ItemError(term.identifier.encode("utf-8", "replace").decode(), words))


def _problem_json(found: ItemError) -> dict[str, Any]:
    text, fix = _storable(found.message), _storable(found.fix) if found.fix else None
    return {
        "place": str(_storable(found.item))[:_LONGEST_PLACE],
        "message": str(text)[:_LONGEST_TEXT],
        "fix": fix and str(fix)[:_LONGEST_TEXT],
        "said": message_of(message=text, fix=fix),
        "refused": getattr(found, "refused", True),
        "count": found.count,
    }


def _storable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _problem_line(found: ItemError) -> bytes:
    try:
        return orjson.dumps({"problem": _problem_json(found)})
    except (orjson.JSONEncodeError, TypeError):  # a value of its message
        plain = ItemError(str(_storable(found.item)), str(_storable(str(found.message))), None, found.count)
        return orjson.dumps({"problem": _problem_json(plain)})


def _shown_cells(row: list[str]) -> list[str]:
    """The beginning of a row of a preview."""
    return [cell[:_LONGEST_PLACE] for cell in row[:_PREVIEW_COLUMNS]]


def _preview_line(importer: TermImporter[Any], source: SourceFile) -> bytes:
    found = importer.preview(source)
    terms = (term.model_dump(mode="json", by_alias=True, exclude_none=True) for term in found.terms)
    value = {
        "columns": _shown_cells(found.columns),
        "rows": [_shown_cells(row) for row in found.rows],
        "mapping": found.mapping,
        "terms": [shorten_value(term) for term in terms],
        "problems": [_problem_json(one) for one in found.problems],
    }
    return orjson.dumps({"preview": value})


def _prepare(document: Document) -> PreparedDocument:
    nothing: dict[str, Any] = {"metadata": {}, "created_by": None, "created_at": None, "modified_at": None}
    lists: dict[str, Any] = {name: [] for name in ("segments", "annotations", "categories", "alt_texts", "notes")}
    return PreparedDocument(identifier="", title="", text=document.text, reviewed=None, **nothing, **lists)


def _builder(*, preview: bool) -> Callable[[str, dict[str, Any]], Converter[Any]]:
    """Builds importers in the child process, which all know the identifiers read before."""
    seen: list[SeenIdentifiers] = []

    def build(name: str, parameters: dict[str, Any]) -> Converter[Any]:
        if not seen:
            seen.append(SeenIdentifiers())
        importer = cast(TermImporter[Any], get_registry().build(KIND, name, parameters))
        return cast(Converter[Any], _TermFile(importer, seen[0], preview=preview))

    return build


@contextmanager
def open_term_reader(
    format: str, parameters: dict[str, Any], language: str, usable: Collection[str], *, preview: bool = False
) -> Iterator[tuple[SourceReader, ConverterProcess]]:
    """Open a reader of files and the process that runs the term importers; see `read_terms`.

    Args:
        format: name of the importer for all files; empty = the one that declares the file type.
        usable: the importers that the caller may use.
    """

    def find_importer(extension: str) -> str | None:
        name = format or importer_for_extension(extension)
        return name if name in usable else None

    settings = get_settings()
    limits = archives.ArchiveLimits(settings.archive_entries, settings.archive_bytes, settings.archive_ratio)
    with (
        tempfile.TemporaryDirectory(dir=settings.uploads_folder, prefix="import-") as folder,
        locked_folder(Path(folder)),
        ConverterProcess(_builder(preview=preview), _prepare, LIMITS) as process,
    ):
        reader = SourceReader(
            process,
            find_importer,
            Path(folder),
            limits,
            language or _LANGUAGE,
            parameters={format: parameters} if format else {},
        )
        yield reader, process


def read_terms(reader: SourceReader, source: Source) -> Iterator[Term | ReadProblem | ReadPreview]:
    """Yield the terms of a file (or of the files of an archive) and what is wrong with it."""
    for item in reader.read(source):
        if item.document is None:
            yield ReadProblem(item.item, item.message, item.fix, count=item.count, summed=item.summed)
            continue
        name = item.item.rpartition("#")[0]
        for line in item.document.text.split("\n"):
            found = _parse_line(name, orjson.loads(line))
            if found is not None:
                yield found


def _parse_line(name: str, value: dict[str, Any]) -> Term | ReadProblem | ReadPreview | None:
    if "problem" in value:
        return _parse_problem(name, value["problem"])
    if "preview" in value:
        return ReadPreview(value["preview"])
    if "identifier" not in value:
        return None
    return Term(identifier=value["identifier"], preferred_form=value["form"], properties=value["properties"])


def _parse_problem(name: str, value: dict[str, Any]) -> ReadProblem:
    codes = value["said"] or {}
    text, fix = (restore_message(value[part], codes.get(part)) if value[part] else None for part in ("message", "fix"))
    return ReadProblem(f"{name}: {value['place']}", text or "", fix, value["refused"], value["count"])
