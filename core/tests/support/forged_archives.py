"""Archives with files or rows that differ from the exported ones.

`from support.forged_archives import forge_archive, rows_of`.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

Files = dict[str, bytes]
Rows = list[dict[str, Any]]


def files_of(data: bytes) -> Files:
    """Return the files of an archive by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rows_of(data: bytes, table: str) -> Rows:
    """Return the rows of a table in an archive; `document` and tables that belong to documents are read from its
    lines.
    """
    files = files_of(data)
    if f"tables/{table}.jsonl" in files:
        return [json.loads(line) for line in files[f"tables/{table}.jsonl"].splitlines()]
    lines = [json.loads(line) for line in files["documents.jsonl"].splitlines()]
    if table == "documents":
        return [line["document"] for line in lines]
    return [row for line in lines for row in line.get(table, ())]


def forge_archive(data: bytes, change: Callable[[Files], None]) -> bytes:
    """Return the archive with changed files and a matching manifest, which any author of archives can compute."""
    files = files_of(data)
    change(files)
    update_manifest(files)
    return pack_files(files)


def update_manifest(files: Files) -> None:
    """Have the manifest agree with the files."""
    facts = json.loads(files["manifest.json"])
    facts["files"] = {
        name: {"sha256": hashlib.sha256(body).hexdigest(), "size": len(body)}
        for name, body in files.items()
        if name != "manifest.json"
    }
    files["manifest.json"] = json.dumps(facts).encode()


def pack_files(files: Files) -> bytes:
    """An archive with these files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return target.getvalue()


def set_first_row_value(table: str, column: str, value: Any) -> Callable[[Files], None]:
    """Return a change that sets a value in the first row of a table; `projects` are the settings."""

    def change(files: Files) -> None:
        if table == "projects":
            files["project.json"] = json.dumps(json.loads(files["project.json"]) | {column: value}).encode()
            return
        name = f"tables/{table}.jsonl"
        if name in files:
            first, *others = files[name].splitlines()
            files[name] = b"\n".join([json.dumps(json.loads(first) | {column: value}).encode(), *others]) + b"\n"
            return
        lines = [json.loads(line) for line in files["documents.jsonl"].splitlines()]
        row = next(_rows(line, table)[0] for line in lines if _rows(line, table))
        row[column] = value
        files["documents.jsonl"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    return change


def _rows(line: dict[str, Any], table: str) -> Rows:
    found: Rows = [line["document"]] if table == "documents" else line.get(table, [])
    return found
