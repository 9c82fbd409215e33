"""Ranks terms whose form is exactly what was searched for before all others, the same for every engine.

The words of a form say too little: "Bibliothèque" is one of many terms with this word, and longer terms can score
higher.
"""

from __future__ import annotations

from annotarium.search.index_and_search_types import TITLE_ORDER
from annotarium.search.query.ast import Boolean, Boost, MatchAll, Node, Phrase, Term, leaves
from annotarium.search.text_analysis import fold_letters

OTHER_FORMS = "otherForm"
"""Facet of terms: the other forms as `comparable_form` returns them. The preferred form is in `TITLE_ORDER`."""
_PREFERRED, _OTHER = 10_000.0, 5_000.0
"""Far above what the words of a query score."""
_FIELDS = frozenset({"preferredForm", "title", "value"})
_MOST = 8
"""Forms of one query that are looked up."""


def comparable_form(form: str) -> str:
    """Return a form without case and accents, its words separated by single spaces."""
    return " ".join(fold_letters(form).split())


def rank_exact_forms_first(query: Node, text: str) -> Node:
    """Return a query that matches the same terms: first those whose preferred form is what was searched, then those
    that have it as another form.

    Args:
        query: the parsed `text`, with the field names of the query language.
        text: the query as typed.
    """
    forms = _searched_forms(query, text)
    if isinstance(query, MatchAll) or not forms:
        return query
    preferred = (Boost(Term(form, TITLE_ORDER), _PREFERRED) for form in forms)
    other = (Boost(Term(form, OTHER_FORMS), _OTHER) for form in forms)
    return Boolean(must=(query,), should=(*preferred, *other))


def _searched_forms(query: Node, text: str) -> list[str]:
    """The whole query, its phrases, and what it asks of preferred forms."""
    found = [text.strip().strip('"').rstrip("*")]
    for leaf in leaves(query):
        is_phrase = isinstance(leaf, Phrase) and leaf.field is None
        if isinstance(leaf, Phrase | Term) and (is_phrase or leaf.field in _FIELDS):
            found.append(leaf.text)
    return [form for form in dict.fromkeys(map(comparable_form, found)) if form][:_MOST]
