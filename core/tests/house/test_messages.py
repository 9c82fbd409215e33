"""Every message of the server and of the components stands in the catalogues of the studio."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from message_catalogue import ENGLISH_FILE, catalogue_json, english_catalogue, message_calls

from annotarium_schemas.messages import join_messages, message, message_of, restore_message

ROOT = Path(__file__).parents[3]
PLURAL = re.compile(r"_(one|other|many)$")
PLACEHOLDER = re.compile(r"\{\{(\w+)(?:, (\w+))?\}\}")


def formats(language: str) -> dict[str, set[tuple[str, str]]]:
    """Placeholders of each code of a catalogue: name and format; plural forms together."""
    found: dict[str, set[tuple[str, str]]] = {}

    def walk(entries: dict[str, Any], prefix: str) -> None:
        for key, value in entries.items():
            if isinstance(value, dict):
                walk(value, f"{prefix}{key}.")
            else:
                found.setdefault(prefix + PLURAL.sub("", key), set()).update(PLACEHOLDER.findall(value))

    walk(json.loads((ROOT / f"webapp/src/locales/{language}/messages.json").read_text(encoding="utf-8")), "")
    return found


def catalogue(language: str) -> dict[str, set[str]]:
    """Names of the placeholders of each code of a catalogue."""
    return {code: {name for name, _ in placeholders} for code, placeholders in formats(language).items()}


def test_the_english_catalogue_is_that_of_the_code() -> None:
    stale = ENGLISH_FILE.read_text(encoding="utf-8") != catalogue_json(english_catalogue(message_calls()))
    assert not stale, "run `make schemas`"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_message_of_the_server_is_in_the_catalogue_and_no_other(language: str) -> None:
    entries, used = catalogue(language), set[str]()
    calls = list(message_calls())
    assert len(calls) > 1000, "the calls are not found"
    for call in calls:
        assert call.code in entries, f"{call.code} is not in {language}/messages.json"
        names = entries[call.code]
        assert call.values is None or names <= call.values, f"{call.where}: {names - call.values} has no value"
        used.add(call.code)
    assert not sorted(entries.keys() - used), "used by nobody"


def test_numbers_have_the_same_format_in_both_languages() -> None:
    """A placeholder has the same format in French: what is a number in one language is one in the other."""
    english, french = (formats(language) for language in ("en", "fr"))
    assert {code: french[code] for code in english if french[code] != english[code]} == {}


def _raised_errors() -> Iterator[tuple[str, ast.expr]]:
    """What the studio shows of each refusal that is made in one place: its cause, else its message."""
    trees = {path: ast.parse(path.read_text()) for path in (ROOT / "core/annotarium").rglob("*.py")}
    classes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    errors = {"AnnotariumError"}
    for _ in range(4):
        errors |= {one.name for one in classes if any(isinstance(b, ast.Name) and b.id in errors for b in one.bases)}
    for path, tree in trees.items():
        if path.name in TERMINAL:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in errors:
                cause = [word.value for word in node.keywords if word.arg == "cause"]
                for shown in (cause or node.args)[:1]:
                    yield f"{path.relative_to(ROOT)}:{shown.lineno}", shown


TERMINAL = {
    "cli.py",
    "commands.py",
    "settings.py",
    "data_folder.py",
    "migrate.py",
    "backup.py",
    "database.py",
    "engine.py",
    "queue_client.py",
}
"""Files whose refusals are read in a terminal."""
ENGLISH = 30
"""Refusals that are still said in English only; it only shrinks."""


def test_error_messages_shown_in_the_studio_have_a_code() -> None:
    plain = [where for where, shown in _raised_errors() if isinstance(shown, (ast.Constant, ast.JoinedStr))]
    assert len(plain) <= ENGLISH, "message(...) for these: " + ", ".join(plain)


def test_a_message_is_a_text_that_knows_its_code_and_values() -> None:
    read = message("doing.read", "{count:,} documents read", count=1200)
    assert read == "1,200 documents read"
    assert message_of(message=read, fix="plain") == {"message": {"code": "doing.read", "values": {"count": 1200}}}
    assert message_of(message="plain", fix=None) is None
    assert (
        message("done.indexedProjects", "{count} projects indexed", one="1 project indexed", count=1)
        == "1 project indexed"
    )


def test_nested_messages_survive_json() -> None:
    parts = join_messages(["a.txt", None, message("outcome.refused", "{count:,} refused", count=2)], ": ")
    whole = message("import.checked", "Check only: {what}", what=parts)
    assert whole == "Check only: a.txt: 2 refused"
    wire = json.loads(json.dumps(message_of(message=whole)))
    assert message_of(message=restore_message(str(whole), wire["message"])) == wire


DECIDES_BY_TEXT = re.compile(
    r"""\.(?:message|cause|fix)\.(?:startswith|endswith|find|index|lower)\(|["']\s+in\s+\w+\.(?:message|cause|fix)\b"""
    r"""|\.(?:message|cause|fix)\s*[!=]=\s*(?:["']|words\b)"""
)


def test_nothing_is_decided_by_the_text_of_a_message() -> None:
    """E-021: sentences are for people and come in their language; codes and classes of errors are for programs."""
    folders = [ROOT / "core/annotarium", ROOT / "plugins/annotarium_plugins", ROOT / "engines/annotarium_engines"]
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    found = [path.name for path in sources if DECIDES_BY_TEXT.search(path.read_text("utf-8"))]
    assert found == []
    assert len(sources) > 400
