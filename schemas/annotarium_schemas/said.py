"""Sentences that another language can say too: English text with a code and the values in it.

The server and components write English. A sentence made with `say` is an ordinary `str` that remembers its code and
values; `said_of` writes them beside the text (additional key `said`), and the studio says the sentence in the reader's
language by its catalogue `said.json`. A sentence without a code is shown as it is.

    message = say("import.read", "{count:,} documents read", count=1200)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Wire = dict[str, Any]
"""`{"code": str, "values": {name: str | int | float | Wire with "text"}}`."""

JOINED = "joined"
"""Code of sentences in a row: `values.parts`, `values.separator`."""


class Said(str):
    """An English sentence that knows its code and values; lost by any string operation, on purpose."""

    __slots__ = ("code", "values")
    code: str
    values: dict[str, Any]

    def wire(self) -> Wire:
        """Code and values as JSON; sentences among the values come with their text."""
        return {"code": self.code, "values": {name: _wire_value(value) for name, value in self.values.items()}}


def say(code: str, text: str, /, *, one: str | None = None, **values: Any) -> Said:
    """A sentence.

    Args:
        code: dotted lower-case words; `core/tests/house` compares codes and placeholders with the studio's catalogues.
        text: English, with the values in braces (`{count:,}`).
        one: the same for a `count` of one, where that reads otherwise.
        values: texts, numbers, or sentences that `say` made. The one that decides singular or plural is called `count`.
    """
    text = one if one is not None and values["count"] == 1 else text
    return _made(text.format(**values), code, values)


def joined(parts: Iterable[str | None], separator: str = ", ") -> Said:
    """Sentences in a row, empty ones left out."""
    there = [part for part in parts if part]
    return _made(separator.join(there), JOINED, {"parts": there, "separator": separator})


def said_of(**texts: str | None) -> dict[str, Wire] | None:
    """What to write beside texts: the wire form of those that have a code, by their names; None when none has."""
    wires = {name: text.wire() for name, text in texts.items() if isinstance(text, Said)}
    return wires or None


def said_again(text: str, wire: Mapping[str, Any] | None) -> str:
    """A text and what was written beside it, as one sentence again."""
    if not wire:
        return text
    values = {name: _value(value) for name, value in wire["values"].items()}
    return _made(text, wire["code"], values)


def _made(text: str, code: str, values: dict[str, Any]) -> Said:
    made = Said(text)
    made.code, made.values = code, values
    return made


def _wire_value(value: Any) -> Any:
    if isinstance(value, Said):
        return value.wire() | {"text": str(value)}
    if isinstance(value, list):
        return [_wire_value(one) for one in value]
    return value if isinstance(value, int | float) else str(value)


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_value(one) for one in value]
    return said_again(value["text"], value) if isinstance(value, dict) else value
