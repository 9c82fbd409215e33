"""Which modules the SDK and the built-in components may import (read from the source)."""

import ast
from pathlib import Path

import pytest

import annotarium_plugins
from annotarium_plugins.heavy import HEAVY_LIBRARIES
from annotarium_plugins.kinds import KINDS

ROOT = Path(annotarium_plugins.__file__).parent
OWN = {"annotarium", "annotarium_engines"}
SERVER = {"fastapi", "sqlalchemy", "redis", "rq", "opensearchpy", "stevedore", "uvicorn", "starlette"}
HOMES = {"zip_package.py": {"zipfile"}}
"""The only file that may use an unsafe library, because it limits what it reads."""
UNSAFE = {"pickle", "joblib", "dill", "cloudpickle", "zipfile", "tarfile", "xml", "requests", "httpx", "urllib"}


def imports(path, top_level_only=False):
    """Return the dotted names that a file imports."""
    tree = ast.parse(path.read_text())
    for node in tree.body if top_level_only else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in {path}"
            yield node.module or ""


def files(folder):
    return sorted(folder.rglob("*.py"))


@pytest.mark.parametrize("path", files(ROOT), ids=lambda path: str(path.relative_to(ROOT)))
def test_server_engines_and_unsafe_libraries_are_not_imported(path):
    roots = {name.partition(".")[0] for name in imports(path)}
    assert not roots & (OWN | SERVER | UNSAFE) - HOMES.get(path.name, set())


@pytest.mark.parametrize("path", files(ROOT), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_heavy_imports_at_module_level(path):
    roots = {name.partition(".")[0] for name in imports(path, top_level_only=True)}
    assert not roots & set(HEAVY_LIBRARIES)


def test_sdk_does_not_import_builtin_components():
    for path in files(ROOT):
        if "builtin" not in path.parts:
            assert not [name for name in imports(path) if name.startswith("annotarium_plugins.builtin")], path


READERS = tuple(f"annotarium_plugins.builtin.converters.{part}" for part in ("common.", "office.", "json_items"))
"""Readers of file formats, which term importers share with converters."""


def test_builtin_components_import_only_the_sdk_and_their_own_kind():
    for path in files(ROOT / "builtin"):
        kind = path.relative_to(ROOT / "builtin").parts[0]
        for name in imports(path):
            if kind == "term_importers" and name.startswith(READERS):
                continue
            if name.startswith("annotarium_plugins.builtin."):
                assert name.split(".")[2] == kind, f"{path} imports {name}"


def test_builtin_folders_are_component_kinds():
    folders = {path.name for path in (ROOT / "builtin").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= {kind.plural for kind in KINDS}


def test_every_kind_has_a_base_and_a_contract():
    from importlib import import_module

    from annotarium_plugins import testing
    from annotarium_plugins.base.component import Component

    for kind in KINDS:
        module, _, name = kind.base.partition(":")
        assert issubclass(getattr(import_module(module), name), Component)
        assert f"{name}Contract" in testing.__all__
