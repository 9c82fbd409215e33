"""One event mechanism: whoever announces something declares a signal of `db/signals.py`, and sends it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3] / "core" / "annotarium"
SIGNALS = ROOT / "db" / "signals.py"
LISTS = re.compile(r"_(listeners|finders|observers|receivers|adjustments|subscribers|callbacks)$")
SENT_WITH = {"Signal": "send", "QuerySignal": "ask"}


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(ROOT.rglob("*.py")):
        if path != SIGNALS and "/migrations/versions/" not in path.as_posix():
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def module_names(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names that a module assigns at its top level, with their values."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from ((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            yield node.target.id, node.value


def called_items(tree: ast.Module) -> set[str]:
    """Names of what a module loops over, calling each item."""
    found = set()
    for node in ast.walk(tree):
        loops: list[tuple[ast.expr, ast.expr]] = []
        if isinstance(node, ast.For):
            loops = [(node.target, node.iter)]
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            loops = [(part.target, part.iter) for part in node.generators]
        for target, over in loops:
            names = {one.func.id for one in ast.walk(node) if isinstance(one, ast.Call) and hasattr(one.func, "id")}
            if isinstance(target, ast.Name) and target.id in names:
                found |= {one.id for one in ast.walk(over) if isinstance(one, ast.Name)}
    return found


def listener_lists(tree: ast.Module) -> list[str]:
    """Module-level lists of functions, by their name or by how they are used."""
    called = called_items(tree)
    return [
        name
        for name, value in module_names(tree)
        if isinstance(value, (ast.List, ast.Set, ast.Dict)) and (LISTS.search(name) or name in called)
    ]


def declared_signals(tree: ast.Module) -> tuple[set[str], int]:
    """Names of the signals at module level, and how many signals the module makes anywhere."""

    def kind(value: ast.expr) -> str | None:
        if not isinstance(value, ast.Call):
            return None
        function = value.func.value if isinstance(value.func, ast.Subscript) else value.func
        return function.id if isinstance(function, ast.Name) and function.id in SENT_WITH else None

    everywhere = sum(1 for node in ast.walk(tree) if isinstance(node, ast.expr) and kind(node))
    return {f"{name}.{SENT_WITH[found]}" for name, value in module_names(tree) if (found := kind(value))}, everywhere


def test_no_module_keeps_a_list_of_listeners_by_hand() -> None:
    offences = [f"{name}: {one}" for name, tree in trees() for one in listener_lists(tree)]
    assert not offences, "use a Signal of db/signals.py:\n" + "\n".join(offences)


def test_signals_stand_at_module_level_and_are_sent() -> None:
    texts = {name: ast.unparse(tree) for name, tree in trees()}
    declared = {name: declared_signals(tree) for name, tree in trees()}
    assert sum(len(signals) for signals, _ in declared.values()) >= 5, "the signals are not found"
    hidden = [name for name, (signals, everywhere) in declared.items() if len(signals) != everywhere]
    assert not hidden, f"a signal inside a function or class: {hidden}"
    never = [one for signals, _ in declared.values() for one in signals if f"{one}(" not in "\n".join(texts.values())]
    assert not never, f"declared and never sent: {never}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("_listeners = []", ["_listeners"]),
        ("_heard: list[F] = []\ndef tell(x):\n    for one in _heard:\n        one(x)", ["_heard"]),
        ("_asked = []\ndef ask(x):\n    return [one for f in tuple(_asked) for one in f(x)]", ["_asked"]),
        ("NAMES = ['a']\ndef f():\n    return [str(name) for name in NAMES]", []),
    ],
)
def test_lists_of_listeners_are_recognised(text: str, found: list[str]) -> None:
    assert listener_lists(ast.parse(text)) == found
