"""Which outcomes of an import become lines of its report, and which are only counted.

A report names the first lines of each kind of error and counts the rest, so that a file of a few megabytes cannot fill
the disk with lines about itself. What was imported or replaced has a line each: a second run of the job knows from it
what is done already.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256

from annotarium.corpus.outcome import IMPORTED, REPLACED, Outcome
from annotarium.settings import MEBIBYTE
from annotarium_schemas.said import JOINED, Said, say

FAULT_LINES = 1_000
"""Lines of one kind of error that a report shows; the rest are counted."""
_FEW_LINES = 10
"""The same when the lines together are larger than what was received."""
_KINDS = 50
"""Kinds told apart; later ones are one kind."""
_SPARE_BYTES = MEBIBYTE
"""Bytes of lines that are always allowed, however little was received."""
_LINE_BYTES = 250
"""About what a line takes beside its texts: keys, index."""
TEXT_LENGTH = 500
"""Characters of a message or a fix that a line keeps."""
_NAME_OF_ITEM = "item."
"""Codes of sentences that only name an item begin with it."""
_NUMBERS = re.compile(r"\d+")
_OTHER = "other"


def kind_of(message: str | None) -> str:
    """What messages about the same kind of error have in common: their codes, or the words without numbers."""
    if message is None:
        return ""
    if isinstance(message, Said):
        if message.code != JOINED:
            return message.code
        parts = [kind_of(part) for part in message.values["parts"] if not _names_item(part)]
        return "+".join(dict.fromkeys(parts))[:64]
    return _NUMBERS.sub("#", message[:60])


def _names_item(part: str) -> bool:
    return isinstance(part, Said) and part.code.startswith(_NAME_OF_ITEM)


@dataclass(frozen=True)
class Rest:
    """Outcomes of a kind that have no line of their own: how many, after which ordinal, and one of their messages."""

    outcome: str
    count: int
    ordinal: int
    message: str | None


@dataclass
class Chosen:
    """Of a batch: the lines to write, and the sums to write anew; see `ReportLines.choose`."""

    lines: list[Outcome] = field(default_factory=list)
    shown: Counter[str] = field(default_factory=Counter)
    rests: dict[str, Rest] = field(default_factory=dict)
    size: int = 0


class ReportLines:
    """The report of one run.

    Args:
        job_id: makes the names of the sums, which no item can have.
        received: bytes that were received; lines take about as many at most, with a megabyte to spare.
        resumable: what was imported or replaced has a line each.
    """

    def __init__(self, job_id: str, received: int, *, resumable: bool = True) -> None:
        self._job_id, self._resumable = job_id, resumable
        self._left = received + _SPARE_BYTES
        self._shown: Counter[str] = Counter()
        self._rests: dict[str, Rest] = {}

    def note_done(self, outcome: str, message: str | None) -> None:
        """A line that an earlier run of the job has written."""
        self._shown[self._kind(outcome, message, self._shown)] += 1

    def choose(self, outcomes: Iterable[Outcome]) -> Chosen:
        """What to write of a batch. Nothing is remembered until `settle`, so that the batch may fail."""
        chosen = Chosen()
        for one in outcomes:
            kept = self._is_kept(one)
            if kept and one.message is None:
                chosen.lines.append(one)
                continue
            kind = self._kind(one.outcome, one.message, self._shown | chosen.shown)
            few = self._left <= chosen.size
            shown = self._shown[kind] + chosen.shown[kind]
            if not one.summed and shown < (_FEW_LINES if few else FAULT_LINES):
                chosen.shown[kind] += 1
                line = _bounded(one)
                chosen.size += _size(line)
                chosen.lines.append(line)
            elif kept:
                chosen.lines.append(replace(one, message=None, fix=None, facts=None))
            else:
                before = chosen.rests.get(kind) or self._rests.get(kind)
                chosen.rests[kind] = Rest(
                    one.outcome,
                    one.count + (before.count if before else 0),
                    max(one.ordinal, before.ordinal if before else 0),
                    before.message if before else one.message,
                )
        return chosen

    def settle(self, chosen: Chosen) -> None:
        """The batch has been written."""
        self._shown.update(chosen.shown)
        self._rests.update(chosen.rests)
        self._left -= chosen.size

    def sums(self, chosen: Chosen) -> list[tuple[str, str, Outcome]]:
        """The lines that count the rest of a kind: kind, name of the item, line."""
        return [(kind, self._name(kind), _sum(self._name(kind), rest)) for kind, rest in chosen.rests.items()]

    def _name(self, kind: str) -> str:
        return "\u2026" + sha256(f"{self._job_id}:{kind}".encode()).hexdigest()[:24]

    def _is_kept(self, one: Outcome) -> bool:
        return self._resumable and one.outcome in (IMPORTED, REPLACED)

    def _kind(self, outcome: str, message: str | None, met: Counter[str]) -> str:
        kind = f"{outcome}:{kind_of(message)}"[:64]
        if kind in met or kind in self._rests or len(met) < _KINDS:
            return kind
        return f"{outcome}:{_OTHER}"


def _sum(name: str, rest: Rest) -> Outcome:
    words = (
        say("report.more", "and {count:,} more of this kind: {why}", count=rest.count, why=rest.message)
        if rest.message
        else say("report.moreItems", "and {count:,} more", count=rest.count)
    )
    return Outcome(name, rest.ordinal, rest.outcome, None, words, count=rest.count)


def _bounded(one: Outcome) -> Outcome:
    message, fix = (
        text if text is None or len(text) <= TEXT_LENGTH else text[:TEXT_LENGTH] for text in (one.message, one.fix)
    )
    return replace(one, message=message, fix=fix)


def _size(line: Outcome) -> int:
    texts = (line.message, line.fix)
    size = _LINE_BYTES + 2 * len(line.item) + len(line.identifier or "") + sum(3 * len(text) for text in texts if text)
    return size + (sum(len(str(value)) for value in line.facts.values()) + 100 if line.facts else 0)
