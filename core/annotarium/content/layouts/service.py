"""Layouts and HTML versions of documents that the caller was found to read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy.orm import Session

from annotarium.content.layouts import repository
from annotarium.content.layouts.html_writer import layout_html
from annotarium.content.layouts.markdown import markdown_layout
from annotarium.content.layouts.marks import Mark, tidy_layout
from annotarium.content.layouts.plain_text import plain_layout
from annotarium.db.models import Project


def layouts_of(
    session: Session, project: Project, ids: Collection[int], texts: Mapping[int, str] | None = None
) -> dict[int, list[Mark]]:
    """Layouts by document id: what the import brought, else what Markdown says where the project's texts are Markdown.

    Args:
        texts: what is known of the texts; the others are read when they are needed.
    """
    found = repository.layouts_by_document(session, ids)
    rest = [one for one in ids if one not in found] if project.markdown_content else []
    if rest:
        unknown = [one for one in rest if texts is None or one not in texts]
        known = {**(texts or {}), **(repository.texts_by_document(session, unknown) if unknown else {})}
        found |= {one: tidy_layout(markdown_layout(known[one]), known[one])[0] for one in rest if one in known}
    return {one: marks for one, marks in found.items() if marks}


def has_layout(session: Session, project: Project, document_id: int) -> bool:
    """Whether a document has more to show than its plain text."""
    return project.markdown_content or repository.has_layout(session, document_id)


def html_versions(session: Session, project: Project, pieces: Sequence[tuple[int, int, str]]) -> list[str]:
    """The HTML version of each piece (document id, start, text) of a text; of plain text its paragraphs."""
    found = layouts_of(session, project, {one for one, _, _ in pieces})
    return [
        layout_html(text, found.get(document_id) or plain_layout(text, start), start)
        for document_id, start, text in pieces
    ]
