"""Import rules of the search package: engines are interchangeable only while no module outside the factory imports
one."""

from __future__ import annotations

import ast
from pathlib import Path

import annotarium.search

SEARCH = Path(annotarium.search.__file__).parent
CORE = SEARCH.parent
ENGINES = ("annotarium.search.embedded", "annotarium.search.opensearch")


def _imports(path: Path) -> set[str]:
    """Modules that a module imports, including imports inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def _name(path: Path) -> str:
    return ".".join(("annotarium", *path.relative_to(CORE).with_suffix("").parts))


def test_only_the_factory_imports_the_engines() -> None:
    knowing = {}
    for path in CORE.rglob("*.py"):
        name = _name(path)
        own = next((engine for engine in ENGINES if name.startswith(engine)), "")
        others = {one for one in _imports(path) if one.startswith(ENGINES) and not (own and one.startswith(own))}
        if others:
            knowing[name] = sorted(others)
    assert list(knowing) == ["annotarium.search.engine_factory"], knowing


def test_search_modules_have_no_import_cycles() -> None:
    modules = {_name(path): path for path in SEARCH.rglob("*.py") if path.stem != "__init__"}
    graph = {name: _imports(path) & modules.keys() for name, path in modules.items()}
    while free := [name for name, others in graph.items() if not others & graph.keys()]:
        for name in free:
            del graph[name]
    assert not graph
