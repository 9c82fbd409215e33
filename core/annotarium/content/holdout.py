"""Draws the part of a corpus that a model is tested on.

The draw assigns groups (documents, or documents with the same value of a metadata field), so that a group is never
split. It is stratified by label and seeded: the same groups, labels and seed give the same parts, independent of
internal ids and of the order of the groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

SEED = 1
TRAIN, TEST = 0, 1
"""The two parts of a split into train and test."""


SPLIT_FIELD = "split"
"""Metadata field by which public corpora assign documents to parts."""
_SPLITS = {
    **dict.fromkeys(("test", "testing", "eval", "evaluation"), "test"),
    **dict.fromkeys(("train", "training", "trn", "dev", "devel", "development", "val", "valid", "validation"), "train"),
}


def split_from_metadata_value(value: object) -> str | None:
    """Return `train` or `test` for a value of `SPLIT_FIELD`, None for an unknown one.

    Validation documents count as `train`: learners that need a validation part set it apart themselves.
    """
    return _SPLITS.get(value.strip().casefold()) if isinstance(value, str) else None


@dataclass
class HoldoutGroup:
    """Items that stay in the same part.

    `weight` is their number (segments or documents), `labels` counts their labels.
    """

    weight: int = 0
    labels: Counter[str] = field(default_factory=Counter)


def holdout_group_of_document(identifier: str, metadata: Mapping[str, object], group_field: str) -> str:
    """Return the group of a document: the value of a metadata field where it has one, else the document itself.

    Args:
        group_field: empty = every document is a group of its own.
    """
    value = metadata.get(group_field) if group_field else None
    if value is None or value in ("", []):
        return f"document {identifier}"
    return f"value {value}"


def draw_split(
    groups: Mapping[str, HoldoutGroup],
    shares: Sequence[float],
    *,
    seed: int = SEED,
    preassigned: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Return the part of each group. Uses iterative stratification (Sechidis et al., 2011), rarest labels first.

    Each part gets its share of the weight and, as far as possible, of each label. No part stays empty when there are at
    least as many groups as parts and enough of them are not preassigned.

    Args:
        shares: share of each part; they add up to 1.
        preassigned: groups that are already in a part and stay there.
    """
    return _StratifiedDraw(groups, shares, preassigned or {}).run(
        sorted(groups, key=lambda key: _seeded_sort_key(seed, key))
    )


def _seeded_sort_key(seed: int, key: str) -> bytes:
    return blake2b(f"{seed}:{key}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


class _StratifiedDraw:
    def __init__(
        self, groups: Mapping[str, HoldoutGroup], shares: Sequence[float], preassigned: Mapping[str, int]
    ) -> None:
        self._groups, self._parts = groups, range(len(shares))
        weight = sum(group.weight for group in groups.values())
        labels: Counter[str] = Counter()
        for group in groups.values():
            labels.update(group.labels)
        self._capacity = [share * weight for share in shares]
        self._needed = [{label: share * count for label, count in labels.items()} for share in shares]
        self._open: Counter[str] = Counter(label for group in groups.values() for label in group.labels)
        self._found: dict[str, int] = {}
        self._fixed = {key for key in groups if key in preassigned}
        for key in sorted(self._fixed):
            self._put(key, preassigned[key])

    def run(self, order: Sequence[str]) -> dict[str, int]:
        carrying: dict[str, list[str]] = {}
        for key in order:
            for label in self._groups[key].labels:
                carrying.setdefault(label, []).append(key)
        while left := [(count, label) for label, count in self._open.items() if count > 0]:
            label = min(left)[1]
            for key in carrying[label]:
                if key not in self._found:
                    self._put(key, self._choose(key, label))
        for key in order:
            if key not in self._found:
                self._put(key, self._choose(key, None))
        self._fill([key for key in order if key not in self._fixed])
        return self._found

    def _choose(self, key: str, label: str | None) -> int:
        weight = self._groups[key].weight
        fitting = [part for part in self._parts if self._capacity[part] >= weight / 2] or list(self._parts)

        def need(part: int) -> tuple[float, float, int]:
            return (self._needed[part][label] if label is not None else 0.0, self._capacity[part], -part)

        return max(fitting, key=need)

    def _put(self, key: str, part: int) -> None:
        group = self._groups[key]
        self._found[key] = part
        self._capacity[part] -= group.weight
        for label, count in group.labels.items():
            self._needed[part][label] -= count
            self._open[label] -= 1

    def _fill(self, free: Sequence[str]) -> None:
        """Move a group into each empty part, from the part that has most groups."""
        members = Counter(self._found.values())
        for part in self._parts:
            donor, count = max(members.items(), key=lambda pair: (pair[1], -pair[0]), default=(part, 0))
            if members[part] or count < 2:
                continue
            moved = min((key for key in free if self._found[key] == donor), key=self._light, default=None)
            if moved is not None:
                self._found[moved] = part
                members[part] += 1
                members[donor] -= 1

    def _light(self, key: str) -> int:
        return self._groups[key].weight
