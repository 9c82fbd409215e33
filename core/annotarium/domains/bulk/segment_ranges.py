"""Found segments as pieces of their documents, and what hangs on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.bulk_count_and_delete import RangesByDocument
from annotarium.domains.bulk import repository


def ranges_of_segments(call: ProjectCall, starts: Mapping[int, Sequence[int]]) -> RangesByDocument:
    """The pieces that begin at the given starts, by document; documents out of reach are left out.

    A document that was not cut counts as one piece, and so does one with a single segment.
    """
    ranges: RangesByDocument = {}
    for document_id, (length, ends) in repository.segment_ends(call, list(starts)).items():
        known = ends or {0: length}
        whole = len(known) == 1
        ranges[document_id] = [(start, known[start], whole) for start in starts[document_id] if start in known]
    return ranges
