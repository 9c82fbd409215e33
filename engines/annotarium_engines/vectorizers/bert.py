"""Sentence vectors of a BERT encoder in NumPy. Weights are memory-mapped from a safetensors file; nothing is
unpickled.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from annotarium_engines.model_files import Floats

_BATCH_PIECES = 4_096
"""Maximum word pieces of one batch, padding included; bounds memory."""


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    """Return the float32 tensors of a file, mapped read-only. Raises ValueError for an invalid file."""
    import numpy as np

    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        if length > path.stat().st_size:
            raise ValueError("the header is longer than the file")
        header: dict[str, Any] = json.loads(file.read(length))
    content = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length)
    tensors = {}
    for name, facts in header.items():
        if name == "__metadata__" or facts["dtype"] != "F32":
            continue
        begin, end = facts["data_offsets"]
        tensors[name] = content[begin:end].view(np.float32).reshape(facts["shape"])
    return tensors


@dataclass(frozen=True)
class EncoderConfig:
    """The settings of an encoder from `config.json`."""

    layers: int
    heads: int
    epsilon: float


class Encoder:
    """The forward pass of a BERT encoder with mean pooling."""

    def __init__(self, tensors: dict[str, np.ndarray], shape: EncoderConfig) -> None:
        self._tensors = tensors
        self._shape = shape

    def vectors(self, texts: list[list[int]]) -> Floats:
        """Return a row of length 1 for each list of word pieces. Texts of similar length are processed together."""
        import numpy as np

        found = np.empty((len(texts), self._tensors["embeddings.word_embeddings.weight"].shape[1]), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        start = 0
        while start < len(order):
            end = start + 1
            while end < len(order) and (end + 1 - start) * len(texts[order[end]]) <= _BATCH_PIECES:
                end += 1
            places = order[start:end]
            found[places] = self._run([texts[place] for place in places])
            start = end
        return found

    def _run(self, texts: list[list[int]]) -> Floats:
        import numpy as np

        width = max(map(len, texts))
        pieces = np.zeros((len(texts), width), dtype=np.int64)
        mask = np.zeros((len(texts), width), dtype=np.float32)
        for row, text in enumerate(texts):
            pieces[row, : len(text)] = text
            mask[row, : len(text)] = 1
        state = (
            self._tensors["embeddings.word_embeddings.weight"][pieces]
            + self._tensors["embeddings.position_embeddings.weight"][:width]
            + self._tensors["embeddings.token_type_embeddings.weight"][0]
        )
        state = self._norm("embeddings.LayerNorm", state)
        hidden = np.where(mask[:, None, None, :] > 0, np.float32(0), np.float32(-1e9))
        for number in range(self._shape.layers):
            state = self._layer(f"encoder.layer.{number}", state, hidden)
        pooled = (state * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        rows: Floats = pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-12)
        return rows

    def _layer(self, name: str, state: Any, hidden: Any) -> Any:
        import numpy as np
        from scipy.special import erf

        rows, width, size = state.shape
        heads = self._shape.heads

        def split(part: str) -> Any:
            mapped = self._linear(f"{name}.attention.self.{part}", state)
            return mapped.reshape(rows, width, heads, size // heads).transpose(0, 2, 1, 3)

        weights = split("query") @ split("key").transpose(0, 1, 3, 2) / np.float32((size // heads) ** 0.5) + hidden
        weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        seen = (weights @ split("value")).transpose(0, 2, 1, 3).reshape(rows, width, size)
        state = self._norm(
            f"{name}.attention.output.LayerNorm", state + self._linear(f"{name}.attention.output.dense", seen)
        )
        inner = self._linear(f"{name}.intermediate.dense", state)
        inner *= (1 + erf(inner * np.float32(0.5**0.5))) * np.float32(0.5)
        return self._norm(f"{name}.output.LayerNorm", state + self._linear(f"{name}.output.dense", inner))

    def _linear(self, name: str, state: Any) -> Any:
        return state @ self._tensors[f"{name}.weight"].T + self._tensors[f"{name}.bias"]

    def _norm(self, name: str, state: Any) -> Any:
        centred = state - state.mean(axis=-1, keepdims=True)
        variance = (centred**2).mean(axis=-1, keepdims=True)
        scaled = centred / (variance + self._shape.epsilon) ** 0.5
        return scaled.astype(state.dtype) * self._tensors[f"{name}.weight"] + self._tensors[f"{name}.bias"]
