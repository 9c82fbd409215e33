"""The English message catalogue of the studio, read from the calls of `message(code, text, ...)` in the sources.

The text of a message stands in the code, once. `make schemas` writes it to `webapp/src/locales/en/messages.json`; the
French catalogue next to it is written by hand.

| In the code | In the catalogue |
|---|---|
| `{name}` | `{{name}}` |
| `{count:,}`, `{size:g}` | `{{count, number}}`: as the reader's language writes numbers |
| `{f1:.2f}` | `{{f1, score}}`: two decimals |
| `one="..."` | the keys `<code>_one` and `<code>_other` |
"""

from __future__ import annotations

import ast
import json
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("core/annotarium", "plugins/annotarium_plugins", "engines/annotarium_engines")
"""Packages whose messages the studio translates; components of others bring their own texts."""
ENGLISH_FILE = ROOT / "webapp/src/locales/en/messages.json"
FORMATS = {"": "", ",": ", number", "g": ", number", ".2f": ", score"}
"""Format of Python's `str.format` -> format of i18next."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


class UnusableMessage(ValueError):
    """A call of `message` that no catalogue entry can be made of; its text says where and why."""


@dataclass(frozen=True)
class MessageCall:
    """One call of `message`."""

    where: str
    """`path:line`"""
    code: str
    text: str
    one: str | None
    values: frozenset[str] | None
    """Names of the values; None where some are only known at run time (`**values`)."""


def message_calls(root: Path = ROOT) -> Iterator[MessageCall]:
    """All calls of `message` in the packages of the product.

    Raises:
        UnusableMessage: code or text is neither a literal nor a name that a literal is assigned to in the same
            function or module.
    """
    for source in SOURCES:
        for path in sorted((root / source).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if "annotarium_schemas.messages" in text:
                yield from _calls_in_module(path.relative_to(root).as_posix(), ast.parse(text))


def english_catalogue(calls: Iterator[MessageCall]) -> dict[str, Any]:
    """The catalogue of the calls, nested by the parts of the codes and sorted.

    Raises:
        UnusableMessage: two calls of one code differ in their text, or a placeholder has a format without equivalent.
    """
    texts: dict[str, MessageCall] = {}
    for call in calls:
        first = texts.setdefault(call.code, call)
        if (first.text, first.one) != (call.text, call.one):
            raise UnusableMessage(f"{call.where}: {call.code} has another text at {first.where}")
    catalogue: dict[str, Any] = {}
    for code, call in sorted(texts.items()):
        *folders, name = code.split(".")
        entries = catalogue
        for folder in folders:
            entries = entries.setdefault(folder, {})
        if call.one is None:
            entries[name] = to_i18next(call.text, call.where)
        else:
            entries[f"{name}_one"] = to_i18next(call.one, call.where)
            entries[f"{name}_other"] = to_i18next(call.text, call.where)
    return catalogue


def catalogue_json(catalogue: dict[str, Any]) -> str:
    """A catalogue as the text of its file."""
    return json.dumps(catalogue, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def to_i18next(text: str, where: str) -> str:
    """A text with the placeholders of i18next instead of those of `str.format`."""
    parts: list[str] = []
    for literal, name, form, conversion in string.Formatter().parse(text):
        if "{" in literal or "}" in literal:
            raise UnusableMessage(f"{where}: braces in the text")
        parts.append(literal)
        if name is None:
            continue
        if not name.isidentifier() or conversion or form not in FORMATS:
            raise UnusableMessage(f"{where}: {{{name}:{form}}} has no equivalent in the studio")
        parts.append(f"{{{{{name}{FORMATS[form]}}}}}")
    return "".join(parts)


def _calls_in_module(path: str, module: ast.Module) -> Iterator[MessageCall]:
    functions = [node for node in ast.walk(module) if isinstance(node, Function)]
    for node in ast.walk(module):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "message"):
            continue
        where = f"{path}:{node.lineno}"
        around = [one for one in functions if one.lineno <= node.lineno <= (one.end_lineno or 0)]
        scopes = [*sorted(around, key=lambda one: -one.lineno), module]
        if len(node.args) != 2 or not isinstance(node.args[0], ast.Constant):
            raise UnusableMessage(f"{where}: a code is written out, and the text follows it")
        one = next((word.value for word in node.keywords if word.arg == "one"), None)
        names = {word.arg for word in node.keywords if word.arg != "one"}
        yield MessageCall(
            where,
            str(node.args[0].value),
            _literal_text(node.args[1], scopes, where),
            None if one is None else _literal_text(one, scopes, where),
            None if None in names else frozenset(name for name in names if name),
        )


def _literal_text(node: ast.expr, scopes: list[Any], where: str) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        for scope in scopes:
            found = [value for value in _texts_assigned(scope, node.id) if value.lineno <= node.lineno]
            if found:
                return str(max(found, key=lambda value: value.lineno).value)
    raise UnusableMessage(f"{where}: the text is neither a literal nor a name of one")


def _texts_assigned(scope: ast.AST, name: str) -> Iterator[ast.Constant]:
    """Literals that `name = "..."` or `name, other = "...", "..."` assigns anywhere in a scope."""
    for node in ast.walk(scope):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            for left, right in pairs:
                if isinstance(left, ast.Name) and left.id == name and isinstance(right, ast.Constant):
                    yield right
