"""The architecture of the core, besides the floors in `.importlinter`."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[3]
ROOT_MODULES_MAX = 6
# Circles that are known: names of modules, or of packages with all they hold. There should be none.
KNOWN_CIRCLES: tuple[tuple[str, ...], ...] = ()


def is_known(importer: str, imported: str) -> bool:
    """Whether an import is part of a known circle."""

    def within(module: str, names: tuple[str, ...]) -> bool:
        return any(module == name or module.startswith(f"{name}.") for name in names)

    return any(within(importer, names) and within(imported, names) for names in KNOWN_CIRCLES)


def circle_in(imports: Mapping[str, set[str]]) -> list[str]:
    """Modules of which each imports the next, the first and the last being the same; empty when there are none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports within functions and for types only count like all others."""
    graph = grimp.build_graph("annotarium", cache_dir=None)
    imports = {
        module: {one for one in graph.find_modules_directly_imported_by(module) if not is_known(module, one)}
        for module in graph.modules
    }
    assert sum(map(len, imports.values())) > 1000
    circle = circle_in(imports)
    assert not circle, " -> ".join(circle)


def test_a_circle_is_found() -> None:
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert set(circle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}})) == {"a", "b", "c"}


def test_the_root_of_the_core_holds_few_modules() -> None:
    modules = sorted(path.name for path in (ROOT / "core" / "annotarium").glob("*.py"))
    assert len(modules) <= ROOT_MODULES_MAX, f"move one of {', '.join(modules)} to the package that it belongs to"
