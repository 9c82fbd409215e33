"""Terms of uploaded files: an archive is unpacked within its limits and each member read by the importer (C-053)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotarium.content.validation import InvalidContent
from annotarium.importing import archives
from annotarium.importing.identify import extension
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.base.term_importer import ARCHIVE_EXTENSION, SeenIdentifiers, TermImporter, TermProblem
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import join_messages, message


def read_terms(
    importer: TermImporter[Any], source: SourceFile, folder: Path, limits: archives.ArchiveLimits
) -> Iterator[Term | ItemError]:
    """Yield the terms of a file, or of the files of a `.zip`, and a problem for everything that cannot be read.

    Args:
        folder: where the members of an archive are unpacked, one at a time.
    """
    with SeenIdentifiers() as seen:
        if extension(source.name) != ARCHIVE_EXTENSION:
            yield from _file_terms(importer, source, seen)
            return
        try:
            for member in archives.read_members(source.path, folder, limits):
                if isinstance(member, archives.UnreadArchiveMember):
                    yield TermProblem(member.name, member.message, member.fix)
                else:
                    yield from _member_terms(importer, member, source, seen)
        except InvalidContent as error:
            yield TermProblem(source.name, error.message, error.fix)


def _member_terms(
    importer: TermImporter[Any], member: archives.Member, source: SourceFile, seen: SeenIdentifiers
) -> Iterator[Term | ItemError]:
    if extension(member.name) not in importer.extensions:
        yield TermProblem(
            member.name,
            message(
                "term.otherFile", "It is none of the files that are read: {names}", names=", ".join(importer.extensions)
            ),
        )
        return
    inner = SourceFile(path=member.path, name=member.name, language=source.language)
    for found in _file_terms(importer, inner, seen):
        if isinstance(found, TermProblem):
            yield replace(found, item=join_messages([member.name, found.item]))
        else:
            yield found


def _file_terms(importer: TermImporter[Any], source: SourceFile, seen: SeenIdentifiers) -> Iterator[Term | ItemError]:
    try:
        yield from importer.read(source, seen)
    except ComponentError as error:
        cause = error.cause if error.cause != error.message else None
        yield TermProblem(source.name, join_messages([error.message, cause], " "), error.fix)
