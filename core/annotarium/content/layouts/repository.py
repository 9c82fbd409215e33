"""SQL of layouts."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from annotarium.content.layouts.marks import Mark
from annotarium.db.compiled_statements import CompiledStatement
from annotarium.db.models import Document, DocumentLayout


def layouts_by_document(session: Session, document_ids: Collection[int]) -> dict[int, list[Mark]]:
    """Return stored layouts by document id; documents without a layout are absent."""
    query = select(DocumentLayout.document_id, DocumentLayout.marks).where(DocumentLayout.document_id.in_(document_ids))
    return {row[0]: row[1] for row in session.execute(query)}


_OWN = CompiledStatement(select(DocumentLayout.document_id).where(DocumentLayout.document_id == bindparam("document")))


def has_layout(session: Session, document_id: int) -> bool:
    """Return whether a layout is stored for a document."""
    return _OWN.first(session, {"document": document_id}) is not None


def texts_by_document(session: Session, document_ids: Collection[int]) -> dict[int, str]:
    """Return the texts of documents by their id."""
    query = select(Document.id, Document.text).where(Document.id.in_(document_ids))
    return {row[0]: row[1] for row in session.execute(query)}
