"""Validates a CRFsuite model before the native library reads it: every offset and count must stay inside the file.

The library checks nothing and reads wherever the file points. Layout: a header of 48 bytes; a chunk of features; two
constant databases (labels, attributes) that map words to numbers; two chunks of references to features.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.int64]

_HEADER, _CHUNK, _FEATURE, _DATABASE, _TABLES = 48, 12, 20, 24, 256
_BYTE_ORDER = 0x62445371


def check_crf_file(model: bytes) -> None:
    """Raise `ValueError` if the library would read outside the model."""
    if len(model) < _HEADER:
        raise ValueError("the file is shorter than its header")
    magic, size, kind, version, _, labels, attributes, *offsets = struct.unpack_from("<4sI4sI3I5I", model)
    if (magic, kind, version) != (b"lCRF", b"FOMC", 100):
        raise ValueError("the file is no model of CRFsuite")
    if size != len(model) or not all(_HEADER <= offset <= size - _CHUNK for offset in offsets):
        raise ValueError("the header points outside the file")
    at_features, at_labels, at_attributes, at_label_refs, at_attribute_refs = offsets
    look = _CrfFileChecker(model)
    features = look.features(
        at_features, labels, attributes
    )  # the count in the header is 0, so they are counted in their chunk
    look.database(at_labels, labels)
    look.database(at_attributes, attributes)
    look.references(at_label_refs, b"LFRF", labels, features)
    look.references(at_attribute_refs, b"AFRF", attributes, features)


class _CrfFileChecker:
    """Checks one file."""

    def __init__(self, model: bytes) -> None:
        import numpy as np

        self._model, self._size = model, len(model)
        self._bytes = np.frombuffer(model, np.uint8)

    def _read_uint32s(self, start: int, count: int) -> Numbers:
        import numpy as np

        if start < 0 or count < 0 or start + 4 * count > self._size:
            raise ValueError("a table leaves the file")
        return np.frombuffer(self._model, "<u4", count, start).astype(np.int64)

    def _uint32_at(self, places: Numbers) -> Numbers:
        import numpy as np

        if len(places) and (places.min() < 0 or places.max() > self._size - 4):
            raise ValueError("an offset leaves the file")
        parts = [self._bytes[places + number].astype(np.int64) << (8 * number) for number in range(4)]
        return parts[0] | parts[1] | parts[2] | parts[3]

    def features(self, start: int, labels: int, attributes: int) -> int:
        """Check the chunk of features, which must refer to existing labels and attributes; return their number."""
        import numpy as np

        name, _, count = struct.unpack_from("<4sII", self._model, start)
        if name != b"FEAT" or start + _CHUNK + _FEATURE * count > self._size:
            raise ValueError("the features are not whole")
        kind = np.dtype([("type", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
        rows = np.frombuffer(self._model, kind, count, start + _CHUNK)
        sources = np.where(rows["type"] == 0, attributes, labels)
        if (rows["type"] > 1).any() or (rows["source"] >= sources).any() or (rows["target"] >= labels).any():
            raise ValueError("a feature leads nowhere")
        return int(count)

    def references(self, start: int, name: bytes, count: int, features: int) -> None:
        """Check a chunk of lists of feature references."""
        import numpy as np

        found, _, held = struct.unpack_from("<4sII", self._model, start)
        if found != name or held < count:
            raise ValueError("the references are not whole")
        places = self._read_uint32s(start + _CHUNK, count)
        counts = self._uint32_at(places)
        if (places + 4 + 4 * counts > self._size).any() or counts.sum() > self._size:
            raise ValueError("a list of features leaves the file")
        begun = np.cumsum(counts) - counts
        within = np.arange(int(counts.sum()), dtype=np.int64) - np.repeat(begun, counts)
        if (self._uint32_at(np.repeat(places + 4, counts) + 4 * within) >= features).any():
            raise ValueError("a reference leads to no feature")

    def database(self, start: int, count: int) -> None:
        """Check a constant database: its hash tables, its records and the array that maps numbers back to words."""
        import numpy as np

        if start + _DATABASE + 8 * _TABLES > self._size:
            raise ValueError("a dictionary is not whole")
        name, size, _, order, back, at_back = struct.unpack_from("<4sIIIII", self._model, start)
        if name != b"CQDB" or order != _BYTE_ORDER or start + size > self._size or back > count:
            raise ValueError("a dictionary is damaged")
        tables = self._read_uint32s(start + _DATABASE, 2 * _TABLES).reshape(-1, 2)
        used = tables[tables[:, 1] > 0]
        if (used[:, 0] + 8 * used[:, 1] > size).any():
            raise ValueError("a table of a dictionary leaves it")
        records = [self._read_uint32s(start + int(place), 2 * int(number))[1::2] for place, number in used]
        if back < count or (back and at_back + 4 * back > size):
            raise ValueError("a dictionary lacks words")
        ways = np.concatenate([*records, self._read_uint32s(start + at_back, back)])
        self._check_entries(start, ways[ways > 0], size, count)

    def _check_entries(self, start: int, places: Numbers, size: int, count: int) -> None:
        """Check the records of a dictionary: an existing number, and a zero-terminated word inside the file."""
        if (places + 8 > size).any():
            raise ValueError("a word of a dictionary leaves it")
        numbers, lengths = self._uint32_at(start + places), self._uint32_at(start + places + 4)
        if (numbers >= count).any() or (lengths == 0).any() or (places + 8 + lengths > size).any():
            raise ValueError("a word of a dictionary leaves it")
        if (self._bytes[start + places + 7 + lengths] != 0).any():
            raise ValueError("a word of a dictionary has no end")
