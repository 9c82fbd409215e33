"""Chooses which outcomes of an import become lines of its report, and which are only counted.

A report shows the first lines of each kind of error and counts the rest, so that a file of a few megabytes cannot fill
the disk with lines about itself. Imported and replaced documents have a line each, from which a second run of the job
knows what is already done.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256

from annotarium.importing.outcome import IMPORTED, REPLACED, Outcome
from annotarium.settings import MEBIBYTE
from annotarium_schemas.messages import JOINED, Message, message

ERROR_LINES = 1_000
"""Lines of one kind of error that a report shows; the rest are counted."""
_FEW_LINES = 10
"""The same when the lines together are larger than what was received."""
_MAX_KINDS = 50
"""Kinds that are distinguished; later ones are counted as one kind."""
_SPARE_BYTES = MEBIBYTE
"""Bytes of lines that are always allowed, however little was received."""
_LINE_BYTES = 250
"""Approximate bytes of a line without its texts: keys and index."""
MAX_TEXT_LENGTH = 500
"""Characters of a message or a fix that a line stores."""
_ITEM_CODE_PREFIX = "item."
"""Prefix of the codes of messages that only name an item."""
_NUMBERS = re.compile(r"\d+")
_OTHER = "other"


def message_kind(message: str | None) -> str:
    """Return what messages about the same kind of error have in common: their code, or the text without numbers."""
    if message is None:
        return ""
    if isinstance(message, Message):
        if message.code != JOINED:
            return message.code
        parts = [message_kind(part) for part in message.values["parts"] if not _is_item_name_message(part)]
        return "+".join(dict.fromkeys(parts))[:64]
    return _NUMBERS.sub("#", message[:60])


def _is_item_name_message(part: str) -> bool:
    return isinstance(part, Message) and part.code.startswith(_ITEM_CODE_PREFIX)


@dataclass(frozen=True)
class RemainingLines:
    """Outcomes of a kind without lines of their own: their number, the last ordinal and the message of the first."""

    outcome: str
    count: int
    ordinal: int
    message: str | None


@dataclass
class SelectedLines:
    """Lines of one batch to write, and counts of the rest to update; see `ReportLines.select`."""

    lines: list[Outcome] = field(default_factory=list)
    shown: Counter[str] = field(default_factory=Counter)
    rests: dict[str, RemainingLines] = field(default_factory=dict)
    size: int = 0


class ReportLines:
    """Selects the lines for the report of one run.

    Args:
        job_id: used to name the summary lines so that they differ from all items.
        received: bytes that were received; lines take about as many at most, plus `_SPARE_BYTES`.
        resumable: each imported or replaced document has a line.
    """

    def __init__(self, job_id: str, received: int, *, resumable: bool = True) -> None:
        self._job_id, self._resumable = job_id, resumable
        self._left = received + _SPARE_BYTES
        self._shown: Counter[str] = Counter()
        self._rests: dict[str, RemainingLines] = {}

    def note_done(self, outcome: str, message: str | None) -> None:
        """Count a line that an earlier run of the job wrote."""
        self._shown[self._kind(outcome, message, self._shown)] += 1

    def select(self, outcomes: Iterable[Outcome]) -> SelectedLines:
        """Choose what to write of a batch. Changes no state before `settle`, so that writing the batch may fail."""
        selected = SelectedLines()
        for one in outcomes:
            always_written = self._is_always_written(one)
            if always_written and one.message is None:
                selected.lines.append(one)
                continue
            kind = self._kind(one.outcome, one.message, self._shown | selected.shown)
            few = self._left <= selected.size
            shown = self._shown[kind] + selected.shown[kind]
            if not one.summed and shown < (_FEW_LINES if few else ERROR_LINES):
                selected.shown[kind] += 1
                line = _with_bounded_texts(one)
                selected.size += _size(line)
                selected.lines.append(line)
            elif always_written:
                selected.lines.append(replace(one, message=None, fix=None, facts=None))
            else:
                before = selected.rests.get(kind) or self._rests.get(kind)
                selected.rests[kind] = RemainingLines(
                    one.outcome,
                    one.count + (before.count if before else 0),
                    max(one.ordinal, before.ordinal if before else 0),
                    before.message if before else one.message,
                )
        return selected

    def settle(self, selected: SelectedLines) -> None:
        """Take over the counts of a batch after it was written."""
        self._shown.update(selected.shown)
        self._rests.update(selected.rests)
        self._left -= selected.size

    def sums(self, selected: SelectedLines) -> list[tuple[str, str, Outcome]]:
        """Return the summary lines of a batch as `(kind, item name, line)`."""
        return [
            (kind, self._name(kind), _remaining_count_line(self._name(kind), rest))
            for kind, rest in selected.rests.items()
        ]

    def _name(self, kind: str) -> str:
        return "\u2026" + sha256(f"{self._job_id}:{kind}".encode()).hexdigest()[:24]

    def _is_always_written(self, one: Outcome) -> bool:
        return self._resumable and one.outcome in (IMPORTED, REPLACED)

    def _kind(self, outcome: str, message: str | None, met: Counter[str]) -> str:
        kind = f"{outcome}:{message_kind(message)}"[:64]
        if kind in met or kind in self._rests or len(met) < _MAX_KINDS:
            return kind
        return f"{outcome}:{_OTHER}"


def _remaining_count_line(name: str, rest: RemainingLines) -> Outcome:
    words = (
        message("report.more", "and {count:,} more of this kind: {why}", count=rest.count, why=rest.message)
        if rest.message
        else message("report.moreItems", "and {count:,} more", count=rest.count)
    )
    return Outcome(name, rest.ordinal, rest.outcome, None, words, count=rest.count)


def _with_bounded_texts(one: Outcome) -> Outcome:
    message, fix = (
        text if text is None or len(text) <= MAX_TEXT_LENGTH else text[:MAX_TEXT_LENGTH]
        for text in (one.message, one.fix)
    )
    return replace(one, message=message, fix=fix)


def _size(line: Outcome) -> int:
    texts = (line.message, line.fix)
    size = _LINE_BYTES + 2 * len(line.item) + len(line.identifier or "") + sum(3 * len(text) for text in texts if text)
    return size + (sum(len(str(value)) for value in line.facts.values()) + 100 if line.facts else 0)
