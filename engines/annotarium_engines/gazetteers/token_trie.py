"""A compact trie over numbers of tokens, in arrays that can be mapped from files.

State 0 is the root; state `s` is reached by the edge `keys[s - 1]`, which is `parent << 32 | token`. States are
numbered level by level, so that the keys of all edges are sorted and an edge is found by binary search. The entries of
state `s` are `entries[first_entries[s] : first_entries[s + 1]]`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Keys = npt.NDArray[np.uint64]
    Numbers = npt.NDArray[np.uint32]
    Places = npt.NDArray[Any]
    TokenIds = npt.NDArray[np.int32]

UNKNOWN, IGNORED = 0, -1
"""Numbers of tokens that occur in no term, and of tokens that are passed over. Others count from 1."""
MAX_TOKENS = 64
"""Tokens of a sequence in the trie."""
MAX_ENTRIES = 1000
"""Entries of a sequence that are returned."""
MAX_NESTED = 8
"""Occurrences that begin at the same token and are returned: the longest ones. Without a limit, a text of one repeated
word has as many for each of its tokens as the dictionary has repetitions of that word.
"""


@dataclass
class Occurrences:
    """Sequences found: tokens `first <= index < past` lead to `states`; parallel arrays."""

    first: Places
    past: Places
    states: Places


class TokenTrie:
    """Finds all sequences of a dictionary in a long sequence of token numbers."""

    def __init__(self, keys: Keys, first_entries: Numbers, entries: Numbers, tokens: int) -> None:
        """Use arrays as `build_trie` makes them, for tokens numbered 1..`tokens`.

        Raises:
            ValueError: the arrays do not fit together.
        """
        import numpy as np

        self.keys, self.first_entries, self.entries = keys, first_entries, entries
        _check_arrays(keys, first_entries, entries, tokens)
        counts = np.diff(first_entries.astype(np.int64))
        self._ends = counts > 0
        self._inner = np.zeros(len(keys) + 1, dtype=np.bool_)
        self._inner[(keys >> np.uint64(32)).astype(np.int64)] = True
        self._roots = np.zeros(tokens + 1, dtype=np.int32)
        of_root = int(np.searchsorted(keys, np.uint64(1 << 32)))
        self._roots[keys[:of_root].astype(np.int64)] = np.arange(1, of_root + 1, dtype=np.int32)

    def entries_of(self, state: int) -> list[int]:
        """Return the entries of a state, at most `MAX_ENTRIES`."""
        first, past = int(self.first_entries[state]), int(self.first_entries[state + 1])
        found: list[int] = self.entries[first : min(past, first + MAX_ENTRIES)].tolist()
        return found

    def find(self, tokens: TokenIds) -> Occurrences:
        """Return all occurrences, also those inside others; of those that begin at the same token the `MAX_NESTED`
        longest.
        """
        import numpy as np

        sources = None
        if len(tokens) and tokens.min() < UNKNOWN:
            sources = np.flatnonzero(tokens >= UNKNOWN)
            tokens = tokens[sources]
        levels: list[tuple[Places, Places]] = []
        states = self._roots[tokens].astype(np.int64)
        at = np.flatnonzero(states)
        states = states[at]
        depth = 1
        while len(at):
            complete = self._ends[states]
            levels.append((at[complete].astype(np.int32), states[complete].astype(np.int32)))
            at, states = self._advance(tokens, at, states, depth)
            depth += 1
        levels = _longest_at_each_place(levels, len(tokens))
        nothing = np.zeros(0, dtype=np.int32)
        first = np.concatenate([nothing, *(places for places, _ in levels)])
        last = np.concatenate([nothing, *(places + depth for depth, (places, _) in enumerate(levels))])
        if sources is not None:
            first, last = sources[first], sources[last]
        return Occurrences(first, last + 1, np.concatenate([nothing, *(ends for _, ends in levels)]))

    def _advance(self, tokens: TokenIds, at: Places, states: Places, depth: int) -> tuple[Places, Places]:
        """Return the sequences that go on with the token at `at + depth`, and their new states."""
        import numpy as np

        going_on = self._inner[states] & (at + depth < len(tokens))
        at, states = at[going_on], states[going_on]
        following = tokens[at + depth].astype(np.uint64)
        known = following > 0
        at, states, following = at[known], states[known], following[known]
        if not len(at):
            return at, states
        wanted = (states.astype(np.uint64) << np.uint64(32)) | following
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        found = self.keys[places] == wanted
        return at[found], places[found] + 1


def _longest_at_each_place(levels: list[tuple[Places, Places]], size: int) -> list[tuple[Places, Places]]:
    """Return the levels (places and states of the occurrences of 1, 2... tokens) with `MAX_NESTED` of each place."""
    import numpy as np

    if len(levels) <= MAX_NESTED:
        return levels
    surplus = np.full(size, -MAX_NESTED, dtype=np.int32)
    for places, _ in levels:
        surplus[places] += 1
    kept: list[tuple[Places, Places]] = []
    for places, states in levels:
        stays = surplus[places] <= 0
        surplus[places] -= 1
        kept.append((places[stays], states[stays]))
    return kept


def build_trie(flat: TokenIds, lengths: TokenIds, values: Numbers, tokens: int) -> TokenTrie:
    """Return the trie of the sequences whose tokens follow each other in `flat`; each leads to its value.

    Args:
        lengths: number of tokens of each sequence, at least 1.
        values: parallel to `lengths`; sequences may be equal, and equal pairs are stored once.
    """
    import numpy as np

    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])[:-1]
    states = np.zeros(len(lengths), dtype=np.int64)
    levels: list[Keys] = []
    numbered = 0
    active = np.arange(len(lengths), dtype=np.int64)
    depth = 0
    while len(active):
        keys = (states[active].astype(np.uint64) << np.uint64(32)) | flat[starts[active] + depth].astype(np.uint64)
        level, place = np.unique(keys, return_inverse=True)
        states[active] = numbered + 1 + place
        numbered += len(level)
        levels.append(level)
        depth += 1
        active = active[lengths[active] > depth]
    all_keys = np.concatenate([np.zeros(0, dtype=np.uint64), *levels])
    pairs = np.unique((states.astype(np.uint64) << np.uint64(32)) | values.astype(np.uint64))
    owners = (pairs >> np.uint64(32)).astype(np.int64)
    first_entries = np.searchsorted(owners, np.arange(numbered + 2)).astype(np.uint32)
    return TokenTrie(all_keys, first_entries, (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32), tokens)


def _check_arrays(keys: Keys, first_entries: Numbers, entries: Numbers, tokens: int) -> None:
    import numpy as np

    if keys.dtype != np.uint64 or first_entries.dtype != np.uint32 or entries.dtype != np.uint32:
        raise ValueError("the arrays of the dictionary have other types")
    if keys.ndim != 1 or entries.ndim != 1 or first_entries.shape != (len(keys) + 2,):
        raise ValueError("the arrays of the dictionary have other shapes")
    if (first_entries[1:] < first_entries[:-1]).any() or first_entries[0] != 0 or first_entries[-1] != len(entries):
        raise ValueError("the entries of the dictionary are out of order")
    parents = keys >> np.uint64(32)
    if (keys[1:] <= keys[:-1]).any() or (parents > np.arange(len(keys), dtype=np.uint64)).any():
        raise ValueError("the states of the dictionary are out of order")
    numbers = keys & np.uint64(0xFFFFFFFF)
    if len(numbers) and not (int(numbers.min()) >= 1 and int(numbers.max()) <= tokens):
        raise ValueError("the dictionary has tokens that it does not know")
