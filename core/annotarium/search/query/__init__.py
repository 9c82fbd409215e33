"""The query language: two grammars with a common syntax tree."""

from annotarium.search.query.advanced import parse_advanced
from annotarium.search.query.ast import (
    Boolean,
    Boost,
    Exists,
    Fuzzy,
    MatchAll,
    Node,
    Phrase,
    Prefix,
    Range,
    Regex,
    Term,
    Wildcard,
    Worded,
    combine_clauses,
    facet_name_of_field,
    leaves,
)
from annotarium.search.query.simple import parse_simple

__all__ = [
    "Boolean",
    "Boost",
    "Exists",
    "Fuzzy",
    "MatchAll",
    "Node",
    "Phrase",
    "Prefix",
    "Range",
    "Regex",
    "Term",
    "Wildcard",
    "Worded",
    "combine_clauses",
    "facet_name_of_field",
    "leaves",
    "parse_advanced",
    "parse_simple",
]
