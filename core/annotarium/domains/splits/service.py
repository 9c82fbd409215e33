"""Training and test split of a project's documents: at random, by a metadata field, or by a search.

No model is trained on the test part, and suggesters make no suggestions on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.holdout import (
    SEED,
    TEST,
    HoldoutGroup,
    draw_split,
    holdout_group_of_document,
    split_from_metadata_value,
)
from annotarium.content.training_data import training_data_changed
from annotarium.db.identifiers import now_ms
from annotarium.domains.splits import repository
from annotarium.domains.splits.repository import SplitCandidate
from annotarium.domains.splits.schemas import SplitRead
from annotarium.errors import InvalidInput
from annotarium.search.selection import Selection, document_ids
from annotarium_schemas.messages import message

_NAMES = ("train", "test")


def split_documents(call: ProjectCall, *, test_size: float, incremental: bool, group_field: str = "") -> dict[str, int]:
    """Split the documents at random into `train` and `test`; returns the number of documents in each.

    The split is stratified by label and reproducible for the same documents. With `incremental`, documents that are in
    a part stay there and only the others are assigned, so that the share of test documents approaches `test_size`.

    Args:
        test_size: share of test documents, between 0 and 1.
        incremental: keep existing assignments; otherwise all documents are assigned again.
        group_field: metadata field; documents with the same value stay in one part.

    Raises:
        InvalidInput: `test_size` is not between 0 and 1.
    """
    if not 0 < test_size < 1:
        text = "testSize must lie between 0 and 1"
        raise InvalidInput(text, details=[{"field": "testSize", "message": text}])
    rows = repository.split_candidates(call.session, call.project, with_metadata=bool(group_field))
    labels = repository.labels_of_documents(call.session, call.project)
    groups: dict[str, HoldoutGroup] = {}
    preassigned: dict[str, int] = {}
    keys = {row.id: holdout_group_of_document(row.identifier, row.metadata, group_field) for row in rows}
    for row in rows:
        group = groups.setdefault(keys[row.id], HoldoutGroup())
        group.weight += 1
        group.labels.update(labels.get(row.id, ()))
        if incremental and row.split in _NAMES:
            # A group found in both parts (after an earlier split without groups) counts as training data.
            preassigned[keys[row.id]] = min(preassigned.get(keys[row.id], TEST), _NAMES.index(row.split))
    drawn = draw_split(groups, [1 - test_size, test_size], preassigned=preassigned)

    def part(row: SplitCandidate) -> str:
        return row.split if incremental and row.split in _NAMES else _NAMES[drawn[keys[row.id]]]

    facts = {"by": "random", "testSize": test_size, "seed": SEED, "incremental": incremental}
    return _apply_split(call, rows, part, facts | ({"groupField": group_field} if group_field else {}))


def split_by_metadata(call: ProjectCall, name: str, test_values: Sequence[str]) -> dict[str, int]:
    """Assign documents to the parts by a metadata field; returns the number of documents in each.

    Args:
        name: the metadata field.
        test_values: values of test documents, all others are training documents; empty = the value itself is `train` or
            `test` (see `content.holdout.split_from_metadata_value`).

    Raises:
        InvalidInput: one of the parts would be empty.
    """
    rows = repository.split_candidates(call.session, call.project, with_metadata=True)
    wanted = set(test_values)

    def part(row: SplitCandidate) -> str:
        value = row.metadata.get(name)
        if not wanted:
            return split_from_metadata_value(value) or "train"
        values = value if isinstance(value, list) else [value]
        return "test" if wanted & {str(one) for one in values if one is not None} else "train"

    return _apply_split(call, rows, part, {"by": "metadata", "field": name, "values": list(test_values)}, both=True)


def split_by_search(call: ProjectCall, chosen: Selection) -> dict[str, int]:
    """Assign the documents that a search finds to `test`, all others to `train`; returns the number of documents in
    each.

    Raises:
        InvalidInput: one of the parts would be empty.
    """
    found = set(document_ids(call, chosen))
    rows = repository.split_candidates(call.session, call.project, with_metadata=False)
    facts = {"by": "search", "query": chosen.query, "facets": list(chosen.selected_facets)}
    return _apply_split(call, rows, lambda row: "test" if row.id in found else "train", facts, both=True)


def _apply_split(
    call: ProjectCall,
    rows: Sequence[SplitCandidate],
    part: Callable[[SplitCandidate], str],
    facts: dict[str, Any],
    *,
    both: bool = False,
) -> dict[str, int]:
    parts = {row.id: part(row) for row in rows}
    sizes = {name: list(parts.values()).count(name) for name in _NAMES}
    if both and not all(sizes.values()):
        raise InvalidInput(
            message("split.onePart", "One of the two parts would have no documents"),
            cause=message(
                "split.sizes",
                "{train:,} documents for training, {test:,} for testing",
                train=sizes["train"],
                test=sizes["test"],
            ),
            fix=message("fix.otherSplit", "Choose other values, or another search"),
        )
    moved = [row.id for row in rows if row.split != parts[row.id]]
    repository.set_split(call.session, [(document_id, parts[document_id]) for document_id in moved])
    for document_id in moved:
        call.unit.touch(call.project.id, "facets", document_id=document_id)
    call.project.has_split = bool(rows)
    call.project.split_facts = facts | {"at": now_ms(), "who": call.username}
    if moved:
        training_data_changed.send(call)
    return sizes


def read_split(call: ProjectCall) -> SplitRead:
    """The sizes of the parts among the documents the caller may read, and how the split was made."""
    counted = repository.count_by_split(call)
    return SplitRead(
        has_split=call.project.has_split,
        train=counted.get("train", 0),
        test=counted.get("test", 0),
        neither=counted.get(None, 0),
        facts=call.project.split_facts if call.project.has_split else {},
    )
