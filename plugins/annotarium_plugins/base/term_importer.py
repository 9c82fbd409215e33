"""Kind termImporter: reads terms from a file."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from types import TracebackType
from typing import ClassVar

from annotarium_plugins.base.component import Component, P
from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.base.term_properties import checked_term
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

ARCHIVE_EXTENSION = "zip"
"""Accepted for every term importer (C-053): the server unpacks the archive and gives each member to the importer."""

PREVIEW_ROWS = 20


@dataclass(frozen=True)
class TermProblem(ItemError):
    """A problem with its position: `item` names it for people, `line` (or row) and `subject` (identifier) for programs.

    Attributes:
        refused: whether the term is left out; otherwise it was read without the part that the message names.
    """

    line: int | None = None
    subject: str | None = None
    refused: bool = True


@dataclass(frozen=True)
class TermPreview:
    """The beginning of a file, before it is imported.

    Attributes:
        columns: names of the columns (or fields), in their order; empty for formats without columns.
        rows: cells of the first rows.
        mapping: parameters of the importer with the columns that they are read from.
        terms: what the first rows become with these parameters.
        problems: what was found wrong in them.
    """

    columns: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    mapping: dict[str, list[str]] = field(default_factory=dict)
    terms: list[Term] = field(default_factory=list)
    problems: list[ItemError] = field(default_factory=list)


class SeenIdentifiers:
    """Identifiers that were read, in a private temporary file: its memory does not grow with their number.

    Use it as a context manager.
    """

    def __init__(self) -> None:
        self._database = sqlite3.connect("")  # a temporary database on disk, deleted when it is closed
        self._database.execute("PRAGMA journal_mode=OFF")
        self._database.execute("PRAGMA synchronous=OFF")
        self._database.execute("PRAGMA cache_size=-32768")
        self._database.execute("CREATE TABLE seen (identifier TEXT PRIMARY KEY) WITHOUT ROWID")

    def __enter__(self) -> SeenIdentifiers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()

    def add(self, identifier: str) -> bool:
        """Remember an identifier; return False when it was there before."""
        done = self._database.execute("INSERT OR IGNORE INTO seen VALUES (?)", (identifier,))
        return done.rowcount == 1


class TermImporter(Component[P]):
    """Reads one file and yields terms; an invalid one is yielded as an `ItemError`.

    A component implements `parse`; the server calls `read` and `preview`. Terms have the canonical properties that
    `base/term_properties.py` describes; `TermBuilder` there makes them.
    """

    extensions: ClassVar[tuple[str, ...]] = ()
    """Lower-case file name extensions without the dot. `.zip` is accepted always and not listed."""

    @abstractmethod
    def parse(self, source: SourceFile) -> Iterator[Term | ItemError]:
        """Yield terms while the file is read."""

    def read(self, source: SourceFile, seen: SeenIdentifiers | None = None) -> Iterator[Term | ItemError]:
        """Yield the terms of a file that can be stored, and a problem for everything else. A part of a term that
        exceeds a limit is left out and reported.

        Args:
            seen: identifiers of the files that were read before, when one import has several.

        Raises:
            ComponentError: the whole file cannot be read.
        """
        if seen is None:
            with SeenIdentifiers() as own:
                yield from self.read(source, own)
            return
        with closing(_generator(self.parse(source))) as found:
            for number, one in enumerate(found, 1):
                if isinstance(one, ItemError):
                    yield one
                else:
                    yield from _checked(one, number, seen)

    def preview(self, source: SourceFile, rows: int = PREVIEW_ROWS) -> TermPreview:
        """Return the beginning of a file. A component whose format has columns returns them too.

        Raises:
            ComponentError: the whole file cannot be read.
        """
        made = TermPreview()
        with closing(_generator(self.read(source))) as found:
            for one in islice(found, rows):
                if isinstance(one, ItemError):
                    made.problems.append(one)
                else:
                    made.terms.append(one)
        return made

    @classmethod
    def accepted_extensions(cls) -> tuple[str, ...]:
        """Return the extensions of the files that can be uploaded for this importer (C-053)."""
        return (*cls.extensions, ARCHIVE_EXTENSION)


def _generator(found: Iterator[Term | ItemError]) -> Generator[Term | ItemError, None, None]:
    """Return a generator, which can be closed, so that files and databases are closed with it."""
    yield from found


def _checked(term: Term, number: int, seen: SeenIdentifiers) -> Iterator[Term | ItemError]:
    good, problems = checked_term(term)
    subject = term.identifier or None
    item = message("item.term", "term {number}", number=number) if subject is None else subject[:200]
    for text, fix in problems:
        yield TermProblem(item, text, fix, subject=subject, refused=good is None)
    if good is None:
        return
    if seen.add(good.identifier):
        yield good
        return
    yield TermProblem(
        item,
        message("term.twice", "Another term of the file has this identifier; the first one is imported"),
        message("fix.oneIdentifier", "Give each term its own identifier"),
        subject=subject,
    )
