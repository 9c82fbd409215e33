"""The tokenizer of an encoder: subwords with code-point offsets, from and to its `tokenizer.json`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from annotarium_engines.learners.encoders import prepare_environment
from annotarium_plugins.base.component import ComponentError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_PROBE = "a"


class Subwords(NamedTuple):
    """The subwords of a text: their numbers, and their ranges in code points of the text."""

    ids: list[int]
    offsets: list[tuple[int, int]]


class SubwordTokenizer:
    """Splits texts into subwords, without limit of length. Raises ValueError for a tokenizer it cannot use."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        whole, plain = tokenizer.encode(_PROBE).ids, tokenizer.encode(_PROBE, add_special_tokens=False).ids
        at = next((at for at in range(len(whole)) if whole[at : at + len(plain)] == plain), None)
        if not plain or at is None:
            raise ValueError("the tokenizer reads no texts")
        self._before, self._after = whole[:at], whole[at + len(plain) :]

    @classmethod
    def from_json(cls, content: bytes) -> SubwordTokenizer:
        """Restore what `to_json` returned. Raises ValueError if it is something else."""
        from tokenizers import Tokenizer

        try:
            return cls(Tokenizer.from_str(content.decode("utf-8")))
        except Exception as error:  # the library raises bare exceptions
            raise ValueError(f"the tokenizer cannot be read: {error}") from error

    @classmethod
    def of_encoder(cls, folder: Path) -> SubwordTokenizer:
        """Read the tokenizer of an encoder.

        Raises:
            ComponentError: its files are missing or of a kind that has no offsets.
        """
        prepare_environment()
        from transformers import AutoTokenizer

        try:
            found: Any = AutoTokenizer.from_pretrained(
                str(folder), use_fast=True, local_files_only=True, trust_remote_code=False
            )
            return cls.from_json(found.backend_tokenizer.to_str().encode("utf-8"))
        except Exception as error:  # files of third parties
            cause = f"{type(error).__name__}: {error}"[:500]
            fix = "Choose another encoder, with a tokenizer.json."
            raise ComponentError("The tokenizer of the encoder cannot be used.", cause=cause, fix=fix) from error

    def to_json(self) -> bytes:
        """Return the content of `tokenizer.json`."""
        return str(self._tokenizer.to_str()).encode("utf-8")

    @property
    def special(self) -> int:
        """Number of special subwords around each window."""
        return len(self._before) + len(self._after)

    def split(self, texts: Sequence[str]) -> list[Subwords]:
        """Return the subwords of texts, without special ones."""
        found = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [Subwords(one.ids, one.offsets) for one in found]

    def framed(self, ids: Sequence[int]) -> list[int]:
        """Return the subwords of a window between the special ones."""
        return [*self._before, *ids, *self._after]

    @property
    def first(self) -> int:
        """Number of special subwords before those of the text."""
        return len(self._before)
