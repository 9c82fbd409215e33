"""Exact nearest-vector search. Unit vectors (float32) are in a memory-mapped flat file per vectorizer; row = item
number.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pyroaring import BitMap

from annotarium.search.embedded.bitmaps import Numbers, array_to_bitmap, bitmap_to_array
from annotarium.search.embedded.files import safe_name
from annotarium.search.vectors import Floats

_BLOCK_FLOATS = 4 * 1024 * 1024
_LENGTH_TOLERANCE = 1e-3
_MAPPED_FILES = 8


def vector_file(folder: Path, name: str, epoch: int) -> Path:
    """Return the path of a vectorizer's file; the epoch is incremented when the length of its vectors changes."""
    return folder / f"{safe_name(name)}.{epoch}.f32"


def write_vector_rows(path: Path, rows: Iterable[tuple[int, Floats]]) -> None:
    """Write vectors to the rows of their items (the file may be sparse)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        for row, vector in rows:
            os.pwrite(descriptor, vector.tobytes(), row * vector.nbytes)
    finally:
        os.close(descriptor)


def read_vector_row(path: Path, row: int, dimension: int) -> Floats | None:
    """Return one vector, None when the file or the row does not exist."""
    try:
        with open(path, "rb") as file:
            file.seek(row * dimension * 4)
            data = file.read(dimension * 4)
    except FileNotFoundError:
        return None
    return np.frombuffer(data, dtype=np.float32) if len(data) == dimension * 4 else None


class _MappedFiles:
    """Files mapped by this process; the least recently used is dropped first.

    A new mapping costs a page fault for every 4 KiB that a search reads, several times the cost of the comparison.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._maps: OrderedDict[Path, tuple[tuple[int, int, int], Floats]] = OrderedDict()

    def rows(self, path: Path, dimension: int) -> Floats:
        """Return all current rows of a file; an empty array when the file does not exist."""
        try:
            facts = os.stat(path)
        except FileNotFoundError:
            return np.empty((0, dimension), np.float32)
        rows = facts.st_size // (dimension * 4)
        state = facts.st_ino, rows, dimension
        with self._lock:
            held = self._maps.pop(path, None)
            if held is None or held[0] != state:
                mapped: Floats = np.empty((0, dimension), np.float32)
                if rows:
                    mapped = np.memmap(path, dtype=np.float32, mode="r", shape=(rows, dimension)).view(np.ndarray)
                held = state, mapped
            self._maps[path] = held
            while len(self._maps) > _MAPPED_FILES:
                self._maps.popitem(last=False)
        return held[1]


_mapped_files = _MappedFiles()


def items_with_readable_vector(path: Path, dimension: int, items: BitMap) -> BitMap:
    """Return those of the items whose row exists and has length one."""
    mapped = _mapped_files.rows(path, dimension)
    numbers = bitmap_to_array(items)
    numbers = numbers[numbers < len(mapped)]
    if not len(numbers):
        return BitMap()
    good: list[Numbers] = []
    step = max(1, _BLOCK_FLOATS // dimension)
    for start in range(0, len(numbers), step):
        part = numbers[start : start + step]
        good.append(part[np.abs(np.linalg.norm(mapped[part], axis=1) - 1) < _LENGTH_TOLERANCE])
    return array_to_bitmap(np.concatenate(good))


def find_nearest_vectors(
    path: Path, dimension: int, query: Floats, among: BitMap, count: int
) -> tuple[Numbers, Floats]:
    """Return the `count` items nearest by cosine, best first (ties by item number), with their cosines."""
    mapped = _mapped_files.rows(path, dimension)
    items = bitmap_to_array(among)
    items = items[items < len(mapped)]
    if not len(items) or count < 1:
        return np.empty(0, np.uint32), np.empty(0, np.float32)
    scores = np.empty(len(items), dtype=np.float32)
    step = max(1, _BLOCK_FLOATS // dimension)
    for start in range(0, len(items), step):
        part = items[start : start + step]
        low, high = int(part[0]), int(part[-1]) + 1
        # Row by row, which is limited by memory access only. numpy would distribute a matrix product over threads, at
        # five times the cost.
        if high - low <= 4 * len(part) and high - low <= 4 * step:
            scores[start : start + step] = np.vecdot(mapped[low:high], query)[part - low]
        else:
            scores[start : start + step] = np.vecdot(mapped[part], query)
    best = best_score_positions(items, scores, count)
    return items[best], scores[best]


def best_score_positions(
    items: Numbers, scores: npt.NDArray[np.floating], count: int, ties: npt.NDArray[np.int64] | None = None
) -> npt.NDArray[np.intp]:
    """Return the indexes of the `count` best scores; equal ones by `ties`, else by item number. `items` must ascend."""
    if count <= 0:
        return np.empty(0, np.intp)
    if count < len(scores):
        floor = np.partition(scores, len(scores) - count)[len(scores) - count]
        places = np.flatnonzero(scores >= floor)
        if ties is None and len(places) > count:  # of many equal scores, keep only the first ones
            above, equal = np.flatnonzero(scores > floor), np.flatnonzero(scores == floor)
            places = np.concatenate([above, equal[: count - len(above)]])
    else:
        places = np.arange(len(scores))
    order = np.lexsort((places if ties is None else ties[places], -scores[places]))
    return places[order][:count]


def ranks_among_scores(scores: npt.NDArray[np.floating], places: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
    """Return the ranks, from 1, of the scores at these indexes among all scores; equal scores in the order of their
    indexes.
    """
    ascending = np.sort(scores)
    above = len(scores) - np.searchsorted(ascending, scores[places], side="right")
    before = [int(np.count_nonzero(scores[:place] == scores[place])) for place in places.tolist()]
    return above + np.array(before, np.int64) + 1
