"""Data types for index entries and searches, the same for every engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from annotarium.search.facet_selections import FacetSelection
from annotarium.search.query.ast import MatchAll, Node
from annotarium.search.text_analysis import Tokens

if TYPE_CHECKING:  # imports 90 modules, which processes that do not search should not load
    import numpy as np
    import numpy.typing as npt

Kind = Literal["documents", "segments", "terms", "suggestions"]
KINDS: tuple[Kind, ...] = ("documents", "segments")
"""The kinds of index that every project has."""
SearchType = Literal["text", "vector", "hybrid"]
ValueKind = Literal["number", "date"]
FacetKind = Literal["terms", "dates", "counts", "histogram"]
Vector: TypeAlias = "npt.NDArray[np.float32] | Sequence[float]"

RRF_CONSTANT = 60
"""Rank constant of reciprocal-rank fusion (C-036)."""

INDEX_VERSION = 6
"""Incremented when words are tokenized differently or items have other fields. Indexes of a lower version are rebuilt.
"""

TITLE_ORDER = "documentTitle"
"""Facet with the title as written, used to sort items."""

ORDERED_FACETS = ("metadata.", TITLE_ORDER)
"""Prefixes of the names of facets that items may be sorted by."""

VECTOR_WINDOW = 100
"""Number of nearest items that a vector or hybrid search uses."""


@dataclass(frozen=True, slots=True)
class IndexKey:
    """Identifies an index. `generation` None = the one in use; a number = one that is being built next to it."""

    project: str
    kind: Kind
    language: str = "xx"
    generation: int | None = None


@dataclass(slots=True)
class IndexDoc:
    """One item to index; it replaces the item of the same id.

    Attributes:
        tokens: the tokenized `text`, when the caller has it (`Analyser.tokens(...)`, `Tokens.part(...)`).
        facets: string values by facet. May be a `ChainMap` of mappings without common names. An engine may look up a
            mapping once that several items of a call share as one object, so mappings must not be changed.
        numbers, dates: values for ranges and sorting; dates are epoch milliseconds, UTC.
        vectors: by vectorizer. All vectors of a vectorizer have the same length; they are compared by cosine.
    """

    id: str
    text: str = ""
    title: str = ""
    tokens: Tokens | None = None
    facets: Mapping[str, Sequence[str]] = field(default_factory=dict)
    numbers: Mapping[str, float | Sequence[float]] = field(default_factory=dict)
    dates: Mapping[str, float | Sequence[float]] = field(default_factory=dict)
    vectors: Mapping[str, Vector] = field(default_factory=dict)


@dataclass(slots=True)
class IndexPatch:
    """New values for some fields of one item; its text stays. Empty or None removes the field's values.

    With `complete`, facets that are not named are removed as well. An unknown id is ignored.
    """

    id: str
    facets: Mapping[str, Sequence[str]] = field(default_factory=dict)
    numbers: Mapping[str, float | Sequence[float]] = field(default_factory=dict)
    dates: Mapping[str, float | Sequence[float]] = field(default_factory=dict)
    vectors: Mapping[str, Vector | None] = field(default_factory=dict)
    complete: bool = False


class IndexChanges(TypedDict, total=False):
    """What `SearchEngine.bulk` takes beside upserts: ids, facet values whose items go, patches, an outbox row."""

    deletes: Iterable[str]
    delete_matching: Iterable[FacetSelection]
    patches: Iterable[IndexPatch]
    applied_seq: int | None


@dataclass(frozen=True, slots=True)
class FacetSpec:
    """A facet to count: `terms` (most frequent values first), `dates` (C-071), `counts` of a number (C-070) or
    `histogram`.

    With `find`, `terms` returns only values that contain it, case-insensitively. A `histogram` has bars of numbers or
    dates, either of a field or of facet values written as such; it is empty when there are none.
    """

    name: str
    kind: FacetKind = "terms"
    size: int = 10
    find: str = ""


@dataclass(frozen=True, slots=True)
class Sort:
    """Sort by a number, a date, or the values of a facet (see `facet_values.facet_sort_key`). Items without a value
    come last.

    Of several values the lowest counts, or the highest when `descending`. Ties are in the order of arrival.
    """

    field: str
    descending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSpec:
    """One search. Hits are the items that match query, filter and selections (with `invert`: all others).

    `scope` is what the caller may see at all: items with one of its values for each of its facets. It is never
    inverted, and no other field widens it.

    `vector` and `hybrid` searches rank the `window` items nearest to `vector` among those that filter and selections
    leave; `hybrid` fuses them with all text matches. `vector_weight` is the weight of vector ranks relative to text
    ranks: 1 = the same, 0 = vectors only append items that the text search does not find. The total and the facets
    always count exactly what paging can reach.
    """

    query: Node = field(default_factory=MatchAll)
    filter: Node = field(default_factory=MatchAll)
    selections: Sequence[FacetSelection] = ()
    scope: Sequence[FacetSelection] = ()
    invert: bool = False
    facets: Sequence[FacetSpec] = ()
    from_: int = 0
    size: int = 10
    sort: Sort | None = None
    search_type: SearchType = "text"
    vector: Vector | None = None
    vectorizer: str = ""
    vector_weight: float = 1.0
    window: int = VECTOR_WINDOW
    default_fields: Sequence[str] = ("text",)
    now_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Bucket:
    """`doc_count` items have the value `key`; buckets of ranges also have their half-open ends."""

    key: str
    doc_count: int
    from_: float | None = None
    to: float | None = None


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """Counts of one facet; `sum_other_doc_count` is the sum over the values beyond the requested size.

    `bars_of` is the value kind of a histogram, None for other facets.
    """

    name: str
    buckets: Sequence[Bucket]
    sum_other_doc_count: int = 0
    bars_of: ValueKind | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A found item. Ranks count from 1; they give its positions in the lists of a hybrid search."""

    id: str
    score: float
    text_rank: int | None = None
    vector_rank: int | None = None


@dataclass(frozen=True, slots=True)
class SearchHits:
    """A page of hits, their total number, and the facets that have a bucket (V-021).

    The total is exact unless a pattern stands for more words than an engine searches (`MAX_EXPANSIONS`).
    """

    hits: Sequence[Hit]
    total: int
    facets: Sequence[FacetCounts] = ()
    max_score: float | None = None
    exact: bool = True


@dataclass(frozen=True, slots=True)
class IndexedContent:
    """What an index contains of an item: its words as stored (see `Tokens.line`), its numbers and its dates.

    Of several values of one name only the lowest is included. Names consist of letters and digits.
    """

    title: str
    text: str
    numbers: Mapping[str, float]
    dates: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class IndexStats:
    """Size of an index."""

    items: int
    facets: int
    values: int
    vectors: Mapping[str, int]
    bytes: int
    generation: int
    applied_seq: int
