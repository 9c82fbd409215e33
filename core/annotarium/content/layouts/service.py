"""Layouts and HTML versions of documents. The caller has already checked that the user may read them."""

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
    """Return layouts by document id: the imported layout, else that of the Markdown where the project's texts are
    Markdown.

    Args:
        texts: texts that are already loaded; others are read when they are needed.
    """
    found = repository.layouts_by_document(session, ids)
    rest = [one for one in ids if one not in found] if project.markdown_content else []
    if rest:
        unknown = [one for one in rest if texts is None or one not in texts]
        known = {**(texts or {}), **(repository.texts_by_document(session, unknown) if unknown else {})}
        found |= {one: tidy_layout(markdown_layout(known[one]), known[one])[0] for one in rest if one in known}
    return {one: marks for one, marks in found.items() if marks}


def has_layout(session: Session, project: Project, document_id: int) -> bool:
    """Return whether a document has more to show than its plain text."""
    return project.markdown_content or repository.has_layout(session, document_id)


def html_versions(session: Session, project: Project, pieces: Sequence[tuple[int, int, str]]) -> list[str]:
    """Return the HTML version of each part `(document id, start, text)`; plain text becomes paragraphs."""
    found = layouts_of(session, project, {one for one, _, _ in pieces})
    return [
        layout_html(text, found.get(document_id) or plain_layout(text, start), start)
        for document_id, start, text in pieces
    ]
