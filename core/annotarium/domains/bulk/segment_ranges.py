"""Found segments as ranges of their documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.bulk_count_and_delete import RangesByDocument
from annotarium.domains.bulk import repository


def ranges_of_segments(call: ProjectCall, starts: Mapping[int, Sequence[int]]) -> RangesByDocument:
    """The segments that begin at these starts, as ranges by document; documents the caller may not read are left out.

    A document without segments counts as one range, and so does one with a single segment.
    """
    ranges: RangesByDocument = {}
    for document_id, (length, ends) in repository.segment_ends(call, list(starts)).items():
        known = ends or {0: length}
        whole = len(known) == 1
        ranges[document_id] = [(start, known[start], whole) for start in starts[document_id] if start in known]
    return ranges
