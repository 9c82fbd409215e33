"""Labels of annotations that a gazetteer made."""

from __future__ import annotations

from annotarium_schemas.documents import Document


def label_by_lexicon(document: Document) -> Document:
    """Give annotations without a label the name of the lexicon of their first term, in place; returns the document."""
    for one in document.annotations:
        if not (one.label_name or one.label or one.label_id) and one.terms:
            one.label_name = one.terms[0].lexicon
    return document
