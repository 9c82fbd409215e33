"""Texts for people that can be shown in another language: English with a code and the values in it.

The server and components write English. A text made with `message` is an ordinary `str` that remembers its code and
values; `message_of` writes them next to the text (additional key `said`), and the studio shows the text in the reader's
language by its catalogue `messages.json`. A text without a code is shown as it is.

    read = message("import.read", "{count:,} documents read", one="{count:,} document read", count=1200)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

MessageJson = dict[str, Any]
"""`{"code": str, "values": {name: str | int | float | MessageJson with "text"}}`."""

JOINED = "joined"
"""Code of several messages in sequence: `values.parts`, `values.separator`."""


class Message(str):
    """An English text with code and values. Every string operation returns a plain `str` without them,
    intentionally.
    """

    __slots__ = ("code", "values")
    code: str
    values: dict[str, Any]

    def to_json(self) -> MessageJson:
        """Return code and values as JSON; messages among the values include their text."""
        return {"code": self.code, "values": {name: _value_to_json(value) for name, value in self.values.items()}}


def message(code: str, text: str, /, *, one: str | None = None, **values: Any) -> Message:
    """Create a message.

    Args:
        code: dotted lower-case words, written out; the same code always has the same text.
        text: English, with the values in braces: `{name}`, `{count:,}` for a number, `{f1:.2f}` for a score. It is a
            literal, or a name that one is assigned to: `make schemas` makes the studio's English catalogue of it.
        one: the same for a `count` of one, where that reads otherwise.
        values: texts, numbers, or messages. The one that decides singular or plural is called `count`.

    Raises:
        ValueError: a value is no number where the text has the format of one.
    """
    text = one if one is not None and values["count"] == 1 else text
    return _create(text.format(**values), code, values)


def join_messages(parts: Iterable[str | None], separator: str = ", ") -> Message:
    """Join messages; empty ones are left out."""
    there = [part for part in parts if part]
    return _create(separator.join(there), JOINED, {"parts": there, "separator": separator})


def message_of(**texts: str | None) -> dict[str, MessageJson] | None:
    """Serialise the messages among `texts` by name, to be sent next to the texts; None when none of them has a code."""
    wires = {name: text.to_json() for name, text in texts.items() if isinstance(text, Message)}
    return wires or None


def restore_message(text: str, wire: Mapping[str, Any] | None) -> str:
    """Restore a message from its text and its serialised form."""
    if not wire:
        return text
    values = {name: _value_from_json(value) for name, value in wire["values"].items()}
    return _create(text, wire["code"], values)


def _create(text: str, code: str, values: dict[str, Any]) -> Message:
    made = Message(text)
    made.code, made.values = code, values
    return made


def _value_to_json(value: Any) -> Any:
    if isinstance(value, Message):
        return value.to_json() | {"text": str(value)}
    if isinstance(value, list):
        return [_value_to_json(one) for one in value]
    return value if isinstance(value, int | float) else str(value)


def _value_from_json(value: Any) -> Any:
    if isinstance(value, list):
        return [_value_from_json(one) for one in value]
    return restore_message(value["text"], value) if isinstance(value, dict) else value
