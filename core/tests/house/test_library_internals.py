"""Parts of libraries that are not their public API are used in one file each, so that a new version breaks nothing
unseen. `core/annotarium/http/README.md` says why each is used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[2] / "annotarium"

# What is used, as a pattern in the source -> the files that may.
INTERNALS: dict[str, set[str]] = {
    r"fastapi\._compat|\._type_adapter\b|\._embed_body_fields\b": {"http/model_fields.py"},
    r"\bregister_url_convertor\b|\bcompile_path\b": {"http/routing.py"},
    r"\.middleware_stack\b": {"http/route_index.py"},
    r"\biter_route_contexts\b": {"app.py"},
    r"httptools_impl|_start_asgi_task|RequestResponseCycle": {"http/connection_limits.py"},
    r"\.server_state\b|\bon_tick\b|\.lifespan\.state\b": {"server/api_server.py"},
    r"construct_expanded_state|positiontup|parameter_expansion|bind_processor": {"db/compiled_statements.py"},
    r"result_processor|\.raw_connection\(|\.dispatch\.": {"db/compiled_statements.py"},
    r"\.loaded_dbapi\b": {"db/compiled_statements.py", "db/postgresql_copy.py"},
    r"\.driver_connection\b": {"db/postgresql_copy.py", "db/sqlite_vacuum.py"},
    r"\.identifier_preparer\b": {"db/bulk_insert.py", "db/postgresql_copy.py"},
    r"set_committed_value": {"db/corruption.py"},
    r"CallableColumnDefault|ScalarElementColumnDefault": {
        "db/corruption.py",
        "domains/projects/archive/row_encoding.py",
    },
}
# Private modules and members of these libraries: anything of the form `library._name` or `from library._name import`.
PRIVATE_IMPORT = re.compile(
    r"^\s*(?:from|import) (?:fastapi|starlette|sqlalchemy|uvicorn|pydantic|rq)(?:\.\w+)*\._\w+", re.MULTILINE
)


def sources() -> list[tuple[str, str]]:
    """Path below `core/annotarium` and text of every module; migrations use SQLAlchemy as Alembic shows it."""
    files = (path for path in CORE.rglob("*.py") if "migrations" not in path.parts)
    return [(path.relative_to(CORE).as_posix(), path.read_text(encoding="utf-8")) for path in files]


@pytest.mark.parametrize("pattern", INTERNALS)
def test_each_library_internal_is_used_in_its_files_only(pattern: str) -> None:
    users = {name for name, text in sources() if re.search(pattern, text)}
    assert users == INTERNALS[pattern]


def test_no_private_module_of_a_library_is_imported_elsewhere() -> None:
    assert {name for name, text in sources() if PRIVATE_IMPORT.search(text)} == {"http/model_fields.py"}
