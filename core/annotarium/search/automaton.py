"""Deterministic automata over words, for fuzzy words and regular expressions. Time is linear in the length of the
words.

States are computed when a word first reaches them, and their number is limited, so that no pattern makes a search
run without bound. numpy reads many words in parallel, one character of each per step, so that a vocabulary of a
million words takes a fraction of a second.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np
import numpy.typing as npt

from annotarium.errors import InvalidInput
from annotarium.search.query.ast import Fuzzy, Regex
from annotarium.search.query.regex import (
    LAST_CODE,
    Alternation,
    CharacterSet,
    Complement,
    Concatenation,
    Expression,
    Intersection,
    Repeat,
    parse_regex,
)
from annotarium.search.text_analysis import fold_case_and_accents
from annotarium_schemas.messages import message

MAX_STATES = 10_000
"""Maximum number of states of one automaton; the same as in Lucene."""

MAX_WORK = 1_000_000
"""Maximum number of expression parts combined for one automaton."""

DEAD = 0
"""Number of the state from which nothing is accepted."""

_NOT_COMPUTED = -1
_BATCH = 1 << 20
"""Characters of words that are read in parallel."""


class TooManyStates(InvalidInput):
    """An expression needs more states or work than the limits allow."""

    def __init__(self) -> None:
        super().__init__(
            message("search.tooInvolved", "The regular expression is too complex for a search"),
            cause=message("search.tooManyStates", "It needs more than {most:,} states", most=MAX_STATES),
            fix="Write it with fewer repetitions, or begin it with letters",
        )


class Automaton(ABC):
    """Decides which words match.

    It computes states while reading, so threads must not share it: see `build_automaton`.
    """

    def __init__(self, borders: Sequence[int], start: object) -> None:
        """Set up the automaton; subclasses call this last, because it computes the start state.

        Args:
            borders: ascending code points at which the next character class begins; class 0 is below the first.
            start: the start state.
        """
        self._borders = np.array(borders, np.int64)
        self._classes = len(borders) + 1
        self._numbers: dict[object, int] = {}
        self._states: list[object] = []
        self._table = np.empty((16, self._classes), np.int32)
        self._accepting = np.zeros(16, np.bool_)
        self._number(self.dead)
        self._start = self._number(start)

    @property
    @abstractmethod
    def dead(self) -> object:
        """The state from which nothing is accepted."""

    @abstractmethod
    def step(self, state: object, kind: int) -> object:
        """Return the state after a character of a class."""

    @abstractmethod
    def accepts(self, state: object) -> bool:
        """Return whether a word may end in this state."""

    def fits(self, word: str) -> bool:
        """Return whether one word matches."""
        return bool(self.fitting([word]))

    def fitting(self, words: Sequence[str]) -> list[str]:
        """Return the words that match, in their order."""
        found: list[int] = []
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        ends = np.cumsum(lengths)
        first = 0
        while first < len(words):
            before = int(ends[first - 1]) if first else 0
            last = max(first + 1, int(np.searchsorted(ends, before + _BATCH, "right")))
            codes = np.frombuffer("".join(words[first:last]).encode("utf-32-le", "surrogatepass"), np.uint32)
            found += (self._read(codes, lengths[first:last]) + first).tolist()
            first = last
        return [words[place] for place in found]

    def _read(self, codes: npt.NDArray[np.uint32], lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the indexes of the words that match. All words are read in parallel, one character per step."""
        kinds = np.searchsorted(self._borders, codes, "right")
        ends = np.cumsum(lengths)
        places = np.arange(len(lengths))
        at = ends - lengths
        states = np.full(len(lengths), self._start, np.int64)
        fit: list[npt.NDArray[np.int64]] = []
        while len(places):
            ended = at == ends[places]
            fit.append(places[ended & self._accepting[states]])
            going = ~ended
            places, at, states = places[going], at[going], states[going]
            states = self._after(states, kinds[at])
            alive = states != DEAD
            places, at, states = places[alive], at[alive] + 1, states[alive]
        return np.sort(np.concatenate(fit)) if fit else np.empty(0, np.int64)

    def _after(self, states: npt.NDArray[np.int64], kinds: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        steps = states * self._classes + kinds
        found: npt.NDArray[np.int64] = self._table.ravel()[steps].astype(np.int64)
        if (found == _NOT_COMPUTED).any():
            for step in np.unique(steps[found == _NOT_COMPUTED]).tolist():
                state, kind = divmod(step, self._classes)
                number = self._number(self.step(self._states[state], kind))
                self._table[state, kind] = number
            found = self._table.ravel()[steps].astype(np.int64)
        return found

    def _number(self, state: object) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = len(self._states)
            if number >= MAX_STATES:
                raise TooManyStates
            if number == len(self._table):
                self._table = np.concatenate([self._table, np.empty_like(self._table)])
                self._accepting = np.concatenate([self._accepting, np.zeros_like(self._accepting)])
            self._table[number] = _NOT_COMPUTED if number else DEAD
            self._accepting[number] = self.accepts(state)
            self._numbers[state] = number
            self._states.append(state)
        return number


_Rows = tuple[tuple[int, ...], tuple[int, ...], int]
"""A row of distances, the row before it where a transposition may follow, and the class of the last character."""


class FuzzyAutomaton(Automaton):
    """Accepts words within some edits of a word: an insertion, deletion, substitution or transposition of neighbours
    each.

    A state is a row of the table of distances, with the row before it and the last character for transpositions.
    """

    def __init__(self, word: str, edits: int) -> None:
        self._edits = edits
        codes = sorted({ord(letter) for letter in word})
        borders = sorted({border for code in codes for border in (code, code + 1)})
        kinds = {code: borders.index(code) + 1 for code in codes}
        self._word = tuple(kinds[ord(letter)] for letter in word)
        row = tuple(min(distance, edits + 1) for distance in range(len(word) + 1))
        super().__init__(borders, (row, (), 0))

    @property
    def dead(self) -> object:
        return None

    def step(self, state: object, kind: int) -> object:
        if state is None:
            return None
        row, older, last = cast("_Rows", state)
        limit = self._edits + 1
        fresh = [min(row[0] + 1, limit)]
        for place, letter in enumerate(self._word):
            distance = min(row[place] + (letter != kind), row[place + 1] + 1, fresh[place] + 1, limit)
            if older and place and letter == last and self._word[place - 1] == kind:
                distance = min(distance, older[place - 1] + 1)
            fresh.append(distance)
        if min(fresh) >= limit:
            return None
        kept = row if kind in self._word else ()
        return tuple(fresh), kept, kind if kept else 0

    def accepts(self, state: object) -> bool:
        if state is None:
            return False
        return cast("_Rows", state)[0][-1] <= self._edits


class RegexAutomaton(Automaton):
    """Accepts words that match a regular expression. Its states are expressions, derived character by character.

    Equal expressions have the same number; alternatives are sets. See Brzozowski, Derivatives of Regular Expressions.
    """

    def __init__(self, expression: Expression) -> None:
        self._known: dict[tuple[object, ...], int] = {}
        self._nodes: list[tuple[object, ...]] = []
        self._ends: list[bool] = []
        self._derived: dict[tuple[int, int], int] = {}
        self._work = 0
        self._none = self._node(("either", frozenset()), False)
        self._empty = self._node(("empty",), True)
        self._all = self._node(("not", self._none), True)
        borders = sorted(set(_character_class_borders(expression)) - {0, LAST_CODE + 1})
        self._first = [0, *borders]
        start = self._of(expression)
        super().__init__(borders, start)

    @property
    def dead(self) -> object:
        return self._none

    def accepts(self, state: object) -> bool:
        assert isinstance(state, int)
        return self._ends[state]

    def step(self, state: object, kind: int) -> object:
        assert isinstance(state, int)
        return self._derive(state, kind)

    def _of(self, expression: Expression) -> int:
        """Return the number of a parsed expression."""
        if isinstance(expression, CharacterSet):
            kinds = frozenset(
                kind
                for kind, first in enumerate(self._first)
                if any(low <= first <= high for low, high in expression.ranges)
            )
            return self._node(("chars", kinds), False) if kinds else self._none
        if isinstance(expression, Concatenation):
            found = self._empty
            for part in reversed(expression.parts):
                found = self._then(self._of(part), found)
            return found
        if isinstance(expression, Alternation):
            return self._either(map(self._of, expression.parts))
        if isinstance(expression, Intersection):
            return self._both(map(self._of, expression.parts))
        if isinstance(expression, Complement):
            return self._opposite(self._of(expression.part))
        return self._repeat(self._of(expression.part), expression.low, expression.high)

    def _node(self, node: tuple[object, ...], ends: bool) -> int:
        number = self._known.get(node)
        if number is None:
            number = self._known[node] = len(self._nodes)
            self._nodes.append(node)
            self._ends.append(ends)
        return number

    def _pair(self, node: int) -> tuple[int, int]:
        """Return the first part and the rest of a concatenation."""
        _, first, rest = cast("tuple[str, int, int]", self._nodes[node])
        return first, rest

    def _then(self, first: int, second: int) -> int:
        parts = []
        while self._nodes[first][0] == "then":  # right-associative, so that equal concatenations have the same number
            part, first = self._pair(first)
            parts.append(part)
        parts.append(first)
        self._spend(len(parts))
        for part in reversed(parts):
            if part == self._none or second == self._none:
                second = self._none
            elif part == self._empty:
                continue
            elif second == self._empty:
                second = part
            else:
                ends = self._ends[part] and self._ends[second]
                second = self._node(("then", part, second), ends)
        return second

    def _either(self, parts: Iterator[int]) -> int:
        found: set[int] = set()
        for part in parts:
            kind, *members = self._nodes[part]
            found |= members[0] if kind == "either" else {part}  # type: ignore[arg-type]
        self._spend(len(found))
        if self._all in found:
            return self._all
        if len(found) == 1:
            return found.pop()
        return self._node(("either", frozenset(found)), any(self._ends[part] for part in found))

    def _both(self, parts: Iterator[int]) -> int:
        found: set[int] = set()
        for part in parts:
            kind, *members = self._nodes[part]
            found |= members[0] if kind == "both" else {part}  # type: ignore[arg-type]
        found.discard(self._all)
        self._spend(len(found))
        if self._none in found:
            return self._none
        if len(found) < 2:
            return found.pop() if found else self._all
        return self._node(("both", frozenset(found)), all(self._ends[part] for part in found))

    def _opposite(self, part: int) -> int:
        kind, *inner = self._nodes[part]
        return int(inner[0]) if kind == "not" else self._node(("not", part), not self._ends[part])  # type: ignore[call-overload]

    def _repeat(self, part: int, low: int, high: int | None) -> int:
        if high == 0 or part == self._empty:
            return self._empty
        if part == self._none:
            return self._none if low else self._empty
        if (low, high) == (1, 1):
            return part
        return self._node(("repeat", part, low, high), low == 0 or self._ends[part])

    def _derive(self, node: int, letter: int) -> int:
        known = self._derived.get((node, letter))
        if known is None:
            known = self._derived[node, letter] = self._derivative(node, letter)
        return known

    def _derivative(self, node: int, letter: int) -> int:
        self._spend(1)
        kind, *inner = self._nodes[node]
        given: list[int] = inner  # type: ignore[assignment]
        if kind == "empty":
            return self._none
        if kind == "chars":
            return self._empty if letter in inner[0] else self._none  # type: ignore[operator]
        if kind == "then":
            return self._either(iter(self._after_parts(node, letter)))
        if kind == "either":
            return self._either(self._derive(part, letter) for part in inner[0])  # type: ignore[attr-defined]
        if kind == "both":
            return self._both(self._derive(part, letter) for part in inner[0])  # type: ignore[attr-defined]
        if kind == "not":
            return self._opposite(self._derive(given[0], letter))
        part, low, high = given
        rest = self._repeat(part, max(low - 1, 0), None if high is None else high - 1)
        return self._then(self._derive(part, letter), rest)

    def _after_parts(self, node: int, letter: int) -> list[int]:
        """Return the derivatives of a concatenation by each part it may begin with."""
        found: list[int] = []
        while self._nodes[node][0] == "then":
            part, rest = self._pair(node)
            found.append(self._then(self._derive(part, letter), rest))
            if not self._ends[part]:
                return found
            node = rest
        return [*found, self._derive(node, letter)]

    def _spend(self, work: int) -> None:
        self._work += work
        if self._work > MAX_WORK:
            raise TooManyStates


def _character_class_borders(expression: Expression) -> Iterator[int]:
    if isinstance(expression, CharacterSet):
        for low, high in expression.ranges:
            yield low
            yield high + 1
    elif isinstance(expression, Complement | Repeat):
        yield from _character_class_borders(expression.part)
    else:
        for part in expression.parts:
            yield from _character_class_borders(part)


def build_automaton(node: Fuzzy | Regex, *, folded: bool) -> Automaton:
    """Build the automaton of a leaf, for one search.

    Args:
        node: a fuzzy word or a regular expression.
        folded: match words as indexed (without case and accents) instead of facet values.
    """
    if isinstance(node, Regex):
        return RegexAutomaton(parse_regex(node.pattern, folded))
    return FuzzyAutomaton(fold_case_and_accents(node.text) if folded else node.text, node.edits)
