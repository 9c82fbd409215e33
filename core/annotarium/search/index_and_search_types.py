"""What goes into an index and what is asked of it: the same shapes for every engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from annotarium.search.facet_selections import FacetSelection
from annotarium.search.query.ast import MatchAll, Node
from annotarium.search.text_analysis import Tokens

if TYPE_CHECKING:  # 90 modules, which a process that does not search does not need
    import numpy as np
    import numpy.typing as npt

Kind = Literal["documents", "segments", "terms", "suggestions"]
KINDS: tuple[Kind, ...] = ("documents", "segments")
"""What every project has an index of."""
SearchType = Literal["text", "vector", "hybrid"]
ValueKind = Literal["number", "date"]
FacetKind = Literal["terms", "dates", "counts", "histogram"]
Vector: TypeAlias = "npt.NDArray[np.float32] | Sequence[float]"

RRF_CONSTANT = 60
"""Rank constant of reciprocal-rank fusion (C-036)."""

INDEX_VERSION = 4
"""Raised when words are cut otherwise or items hold other fields: indexes of a lower version are built again."""

TITLE_ORDER = "documentTitle"
"""Facet of the title as it is written: what items are ordered by."""

ORDERED_FACETS = ("metadata.", TITLE_ORDER)
"""Beginnings of the names of facets that items may be ordered by."""

VECTOR_WINDOW = 100
"""Nearest items a vector or hybrid search takes from the vectors."""


@dataclass(frozen=True, slots=True)
class IndexKey:
    """One index. `generation` None = the one in use; a number = one being built beside it."""

    project: str
    kind: Kind
    language: str = "xx"
    generation: int | None = None


@dataclass(slots=True)
class IndexDoc:
    """One item to index, replacing the one of the same id.

    `tokens` spares analysing `text` again when the caller has its words (`Analyser.tokens(...)`, `.part(...)`).
    Facet values are strings. Facets may be a `ChainMap` of mappings that have no name in common: an engine may look up
    only once what several items of a call share as one object, so these are not to be changed. Numbers and dates
    (epoch milliseconds, UTC) serve ranges and orders. A vector has one length per vectorizer; it is compared by
    cosine.
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
    """A facet to count: `terms` (most frequent values first), `dates` (C-071) or `counts` (C-070) of a number.

    `terms` may be only the values that hold `find`, in any case. `histogram` makes bars of numbers or dates, of fields
    as of facet values that are written so; it is empty when there are none.
    """

    name: str
    kind: FacetKind = "terms"
    size: int = 10
    find: str = ""


@dataclass(frozen=True, slots=True)
class Sort:
    """Order by a number, a date, or the values of a facet (see `values.order_key`); items without a value come last.

    Of several values the lowest counts, the highest when `descending`. Equals are in the order of arrival.
    """

    field: str
    descending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSpec:
    """One search. Hits: those that match query, filter and selections (with `invert`: all the others).

    `scope` is what the caller may see at all: items with one of its values, for each of its facets. It is never
    inverted, and nothing asked for widens it.

    `vector` and `hybrid` rank the `window` items nearest to `vector` among those the filter and selections leave;
    hybrid fuses them with all text matches. `vector_weight` is what their ranks count beside those of the text: 1 = the
    same, 0 = they only add, behind the matches of the text, what it does not find. The total and the facets always
    count exactly what paging can reach.
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
    """`doc_count` items have the value `key`; ranges also tell their half-open ends."""

    key: str
    doc_count: int
    from_: float | None = None
    to: float | None = None


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """Counts of one facet; `sum_other_doc_count` adds up the values beyond the asked size.

    `bars_of` says what the buckets of a histogram are made of; it is None for all others.
    """

    name: str
    buckets: Sequence[Bucket]
    sum_other_doc_count: int = 0
    bars_of: ValueKind | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A found item. Ranks count from 1 and tell which list of a hybrid search brought it."""

    id: str
    score: float
    text_rank: int | None = None
    vector_rank: int | None = None


@dataclass(frozen=True, slots=True)
class SearchHits:
    """A page of hits, the number of all, and the facets that have a bucket (V-021).

    The number is exact, unless a wildcard stands for more words than an engine looks for (`MAX_EXPANSIONS`).
    """

    hits: Sequence[Hit]
    total: int
    facets: Sequence[FacetCounts] = ()
    max_score: float | None = None
    exact: bool = True


@dataclass(frozen=True, slots=True)
class IndexedContent:
    """What an index holds of an item: its words as they are stored (see `Tokens.line`), its numbers and its dates.

    Of several values of one name the lowest is told. Names are ours: letters and digits.
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
