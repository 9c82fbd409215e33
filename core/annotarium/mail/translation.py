"""Translates messages of the server without a browser, with the web app's message catalogue.

The web app's build writes `words/<language>/messages.json` next to its pages. Without it, and for unknown messages, the
English text is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson

from annotarium_schemas.messages import JOINED, Message

_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*(?:,\s*(\w+)\s*)?\}\}")
_GROUPS = {"fr": "\N{NARROW NO-BREAK SPACE}"}
_MILLION = 1_000_000


def catalogue_folder() -> Path:
    """The folder of the catalogues."""
    return Path(str(files("annotarium") / "webapp" / "words"))


@lru_cache(maxsize=4)
def _load_catalogue(path: Path) -> dict[str, Any]:
    return dict(orjson.loads(path.read_bytes())) if path.is_file() else {}


def translate(text: str, wire: Mapping[str, Any] | None, language: str) -> str:
    """Translate a message.

    Args:
        text: the English text.
        wire: code and values stored with it; None if it has none.
        language: `en` or `fr`.
    """
    if wire is None or language not in _GROUPS:
        return text
    code, values = wire["code"], wire["values"]
    said = {name: _translate_value(value, language) for name, value in values.items()}
    if code == JOINED:
        return str(said["separator"]).join(str(part) for part in said["parts"])
    template = _find_template(
        _load_catalogue(catalogue_folder() / language / "messages.json"), code, values.get("count")
    )
    if template is None:
        return text

    def fill(placeholder: re.Match[str]) -> str:
        value = said.get(placeholder[1], "")
        if placeholder[2] == "score":
            return _format_score(value)
        return _format_number(value, language) if placeholder[2] == "number" else str(value)

    return _PLACEHOLDER.sub(fill, template)


def translate_message(sentence: Message, language: str) -> str:
    """Translate a message created with `message()`."""
    return translate(str(sentence), sentence.to_json(), language)


def _translate_value(value: Any, language: str) -> Any:
    if isinstance(value, list):
        return [_translate_value(one, language) for one in value]
    return translate(value.get("text", ""), value, language) if isinstance(value, dict) else value


def _find_template(catalogue: dict[str, Any], code: str, count: Any) -> str | None:
    *folders, name = code.split(".")
    entry: Any = catalogue
    for part in folders:
        entry = entry.get(part, {}) if isinstance(entry, dict) else {}
    found = [entry.get(one) for one in (f"{name}_{_plural_form(count)}", f"{name}_other", name)]
    return next((one for one in found if isinstance(one, str)), None)


def _plural_form(count: Any) -> str:
    """The plural category in French: 0 and 1 are singular; multiples of a million have a form of their own (`de`)."""
    if not isinstance(count, int | float):
        return "other"
    if abs(count) < 2:  # 1.5 is singular too
        return "one"
    return "many" if count % _MILLION == 0 else "other"


def _format_score(value: Any) -> str:
    """Two decimals with a comma, as the web app formats scores of 0 to 1 in French."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return "1" if value == 1 else f"{value:.2f}".replace(".", ",")


def _format_number(value: Any, language: str) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    written = f"{value:,}" if isinstance(value, int) else f"{value:,.3f}".rstrip("0").rstrip(".")
    return written.replace(",", "\0").replace(".", ",").replace("\0", _GROUPS[language])
