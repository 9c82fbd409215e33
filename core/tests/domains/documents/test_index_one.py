"""Indexing a single document again."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update
from support.factories import Corpus, document

from annotarium.db.database import get_database
from annotarium.db.models import Document

PATH = "/documents/a%2Fb/_index"


def found(corpus: Corpus, kind: str) -> int:
    total: int = corpus.post(f"/{kind}/_search", params={"query": "changed"})["total"]["value"]
    return total


@pytest.mark.parametrize("indexes", [{}, {"indexes": "document"}, {"indexes": "segment"}])
def test_index_of_one_document(corpus: Corpus, indexes: dict[str, str]) -> None:
    """T-017: `_index?indexes=document` after a change that did not reach the index."""
    corpus.add(document("a/b", "One text. Two texts."))
    with get_database().session(write=True) as session:  # bypasses the outbox, as a lost index would
        session.execute(
            update(Document).where(Document.project_id == corpus.project.id).values(text="One changed. Two texts.")
        )
        session.commit()
    assert (found(corpus, "documents"), found(corpus, "segments")) == (0, 0)
    assert corpus.post(PATH, params={"indexes": "term"}) == {"ok": True}
    assert found(corpus, "documents") == 0
    assert corpus.post(PATH, params=indexes) == {"ok": True}
    assert (found(corpus, "documents"), found(corpus, "segments")) == (1, 1)


def test_permissions_and_missing_documents(corpus: Corpus, client: Any, as_user: Any, make_project: Any) -> None:
    corpus.post("/documents/none/_index", 404)
    corpus.post(PATH, 400, params={"indexes": "everything"})
    project = make_project(owner="zoe", readers=("paul",))
    address = f"/api/projects/{project.name}/documents/x/_index"
    assert client.post(address).status_code == 401
    assert as_user(client, "someone").post(address).status_code == 404
    assert as_user(client, "paul").post(address).status_code == 403
