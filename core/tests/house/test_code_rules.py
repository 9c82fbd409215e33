"""Rules of the house that linters cannot see (ARCHITECTURE, Floors and Hostile input)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = {
    "core": ROOT / "core" / "annotarium",
    "plugins": ROOT / "plugins" / "annotarium_plugins",
    "engines": ROOT / "engines" / "annotarium_engines",
    "schemas": ROOT / "schemas" / "annotarium_schemas",
}
GENERATED = ("/migrations/versions/",)
FILE_LINES, FUNCTION_LINES = 500, 80

CONVERTERS = "plugins/annotarium_plugins/builtin/converters"
# The one home of each raw library that reads hostile input (ARCHITECTURE, Hostile input).
ALLOWED_MODULES = {
    "zipfile": (
        "core/annotarium/importing/archives.py",
        "core/annotarium/files/zip_writer.py",
        f"{CONVERTERS}/common/zip_package.py",
    ),
    "xml": (),
    "lxml": tuple(f"{CONVERTERS}/common/{name}.py" for name in ("html_parsing", "xml_reader", "xpath")),
    "nh3": (f"{CONVERTERS}/common/html_parsing.py",),
    "pypdfium2": (f"{CONVERTERS}/common/pdf_text.py",),
    "olefile": (f"{CONVERTERS}/common/ole_file.py",),
    "pickle": (),
    "joblib": (),
    "requests": (),
    "smtplib": ("core/annotarium/mail/sending.py",),
    "httpx": (),
    "yaml": (),
}


def sources() -> list[Path]:
    return [
        path
        for package in PACKAGES.values()
        for path in sorted(package.rglob("*.py"))
        if not any(mark in path.as_posix() for mark in GENERATED)
    ]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def calls(tree: ast.Module) -> list[tuple[str, int]]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Name):
                found.append((function.id, node.lineno))
            elif isinstance(function, ast.Attribute):
                found.append((f".{function.attr}", node.lineno))
    return found


def test_files_and_functions_stay_small() -> None:
    offences = []
    for path in sources():
        lines = path.read_text(encoding="utf-8").count("\n") + 1
        if lines > FILE_LINES:
            offences.append(f"{relative(path)}: {lines} lines")
        for node in ast.walk(tree_of(path)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno is not None:
                length = node.end_lineno - node.lineno + 1
                if length > FUNCTION_LINES:
                    offences.append(f"{relative(path)}:{node.lineno} {node.name}: {length} lines")
    assert not offences, "\n".join(offences)


def test_sql_is_built_in_repositories_only() -> None:
    offences = []
    for path in sources():
        name = relative(path)
        if (
            not name.startswith("core/annotarium/")
            or name.startswith("core/annotarium/db/")
            or path.name == "repository.py"
        ):
            continue
        if "repository/" in name:
            continue
        tree = tree_of(path)
        imported = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "sqlalchemy"
            for alias in node.names
        }
        offences += [
            f"{name}:{line} {call}"
            for call, line in calls(tree)
            if call in {"select", "insert", "update", "delete"} and call in imported
        ]
    assert not offences, "\n".join(offences)


def test_only_the_database_layer_commits() -> None:
    offences = [
        f"{relative(path)}:{line}"
        for path in sources()
        if relative(path).startswith("core/annotarium/")
        and not relative(path).startswith(("core/annotarium/db/", "core/annotarium/search/embedded/"))
        for call, line in calls(tree_of(path))
        if call == ".commit"
    ]
    assert not offences, "\n".join(offences)


@pytest.mark.parametrize("library", sorted(ALLOWED_MODULES))
def test_raw_libraries_stay_in_their_module(library: str) -> None:
    offences = []
    for path in sources():
        for node in ast.walk(tree_of(path)):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                names = [node.module]
            if any(name.split(".")[0] == library for name in names) and relative(path) not in ALLOWED_MODULES[library]:
                offences.append(f"{relative(path)}:{node.lineno}")
    assert not offences, "\n".join(offences)


def test_no_file_is_made_for_other_accounts() -> None:
    """The umask of `files/private_files.py` closes new files; a mode written out may not ask for more."""
    modes = re.compile(r"\b0o([0-7]{3,6})\b")
    allowed = {
        "core/annotarium/files/zip_writer.py",
        "core/annotarium/files/private_files.py",
    }  # modes of members of archives
    offences = [
        f"{relative(path)}:{number}"
        for path in sources()
        if relative(path) not in allowed
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if "umask(" in line or any(int(mode, 8) & 0o077 not in (0, 0o077) for mode in modes.findall(line))
    ]
    assert not offences, "\n".join(offences)


def test_no_unfinished_work_is_marked() -> None:
    marks = re.compile(r"\b(TODO|FIXME|raise NotImplementedError)\b")
    offences = [
        f"{relative(path)}:{number}"
        for path in sources()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if marks.search(line)
    ]
    assert not offences, "\n".join(offences)


def test_only_the_known_folders_stand_at_the_top() -> None:
    allowed = {"core", "plugins", "engines", "webapp", "schemas", "examples", ".ci"}
    ignored = {
        ".git",
        ".venv",
        "__pycache__",
        "dist",
        "build",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
        ".gl",
        ".whl",
    }
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()} - ignored
    unknown = {name for name in folders - allowed if not name.startswith(".") and not name.endswith("-data")}
    assert not unknown, f"unknown top-level folders: {sorted(unknown)}"


# What other domains may import of a domain: its service and its shapes (import-linter checks the floors). Services cut
# by use case name the further parts here: `job_responses` and `upload_receiving` need the web framework, which
# workers do without.
OPEN_MODULES = {"service", "schemas"}
OPEN_PARTS = {
    "jobs": {"job_responses"},
    "imports": {"uploads", "upload_receiving", "document_reading", "converters", "importer", "jobs"},
    "documents": {"loader"},
    "trainables": {"examples"},
    "lexicons": {"terms"},  # the service of single terms
    "segments": {"vectorization"},  # the service of vectors
}


def domain_imports(path: Path) -> list[tuple[str, str, int]]:
    """(domain, module, line) of what a file imports from domains."""
    prefix = "annotarium.domains."
    found = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(prefix):
            domain, _, module = node.module.removeprefix(prefix).partition(".")
            names = [module] if module else [alias.name for alias in node.names]
            found += [(domain, name, node.lineno) for name in names]
    return found


def test_domains_use_only_the_services_of_each_other() -> None:
    offences = []
    for path in sources():
        name = relative(path)
        if not name.startswith("core/annotarium/domains/") or name.count("/") < 4:
            continue
        own = name.split("/")[3]
        for domain, module, line in domain_imports(path):
            if domain != own and module not in OPEN_MODULES | OPEN_PARTS.get(domain, set()):
                offences.append(f"{name}:{line} reaches into {domain}.{module}")
    assert not offences, "\n".join(offences)


DOCUMENTS_FILES = 10


def test_the_domain_of_documents_stays_small() -> None:
    """It was the place where everything about documents ended up: imports, uploads and metadata have their own."""
    files = sorted(path.name for path in (PACKAGES["core"] / "domains" / "documents").glob("**/*.py"))
    assert len(files) <= DOCUMENTS_FILES, f"domains/documents has {len(files)} files: {files}"
