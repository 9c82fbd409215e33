"""What the guides for people name is there: files, recipes, scripts, commands and settings."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import typer
import write_decision_index

from annotarium.cli import build_command_line
from annotarium.settings import Settings

ROOT = Path(__file__).parents[3]
GUIDES = ("CONTRIBUTING.md", "README.md", "webapp/README.md", "core/ARCHITECTURE.md")
# Folders that a guide may begin a path in; the first is the root of the project.
BASES = ("", "core/annotarium", "core/tests", "webapp", "webapp/src", "webapp/src/annotation", "webapp/src/api")
ENDINGS = ("py", "ts", "tsx", "css", "json", "md", "txt", "toml", "png")
# Named, and not part of the project: made by a run, brought by a person, or an example.
ELSEWHERE = {"../shared/data", "core/decisions/NNNN-title.md", "concepts.jsonl", "annotarium/sbom.cdx.json"}


def quoted_names(guide: str) -> list[str]:
    """What stands in code quotes, and where links of the guide lead."""
    text = (ROOT / guide).read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
    return [*re.findall(r"`([^`\n]+)`", text), *links]


def commands(guide: str, program: str) -> list[list[str]]:
    """The arguments of a program wherever the guide names it, code blocks too."""
    text = (ROOT / guide).read_text(encoding="utf-8")
    pieces = re.findall(r"`([^`\n]+)`", text) + re.findall(r"^(?:\$ )?([a-z][^\n`|]*)$", text, flags=re.MULTILINE)
    found = [re.findall(rf"(?:^|&& |\s){program} ([^&#]+)", piece) for piece in pieces if program in piece.split()]
    return [arguments.split() for several in found for arguments in several]


def paths(guide: str) -> list[str]:
    found = []
    for word in quoted_names(guide):
        for piece in word.split() if word.startswith("python ") else [word]:
            is_path = re.fullmatch(r"(\.\./)?[a-z.][\w.{},<> *-]*(/[\w.{},<> *-]*)*", piece)
            is_named = piece.rpartition(".")[2] in ENDINGS and "/" not in piece
            if is_path and ("/" in piece or is_named) and piece not in ELSEWHERE:
                found.append(piece)
    return found


def is_there(guide: str, path: str) -> bool:
    if "/" not in path and not (ROOT / path).exists():  # a name alone, wherever it is
        return any(next((ROOT / folder).rglob(path), None) is not None for folder in ("core", "schemas", "webapp/src"))
    choices = [part[1:-1].split(",") if part.startswith("{") else [part] for part in re.split(r"(\{[^}]*\})", path)]
    # A module may be named without its ending.
    patterns = ["".join(one) + ("" if path.endswith("/") or "." in path else "*") for one in product(*choices)]
    bases = [Path(guide).parent, *(Path(base) for base in BASES)]
    return all(
        any(
            next(ROOT.glob(re.sub(r"<[^>]*>", "*", (base / pattern).as_posix().rstrip("/"))), None) is not None
            for base in bases
            if ".." not in pattern
        )
        or (".." in pattern and (ROOT / Path(guide).parent / pattern).exists())
        for pattern in patterns
    )


@pytest.mark.parametrize("guide", GUIDES)
def test_files_that_a_guide_names_exist(guide: str) -> None:
    named = paths(guide)
    assert len(named) >= 5, "the guide names files, or this test no longer sees them"
    missing = [path for path in named if not is_there(guide, path)]
    assert not missing, missing


def test_recipes_and_scripts_that_guides_name_exist() -> None:
    recipes = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    scripts = set(json.loads((ROOT / "webapp/package.json").read_text(encoding="utf-8"))["scripts"])
    asked_recipes = {
        word.split()[1] for guide in GUIDES for word in quoted_names(guide) if re.match(r"make [a-z]", word)
    }
    asked_scripts = {
        name
        for guide in GUIDES
        for word in quoted_names(guide)
        for name in re.findall(r"npm (?:run )?([a-z:-]+)$", word)
    }
    assert {"test", "schemas"} <= asked_recipes <= recipes
    assert {"dev", "test"} <= asked_scripts <= scripts


def test_commands_and_options_that_guides_name_exist() -> None:
    seen = 0
    for guide in GUIDES:
        for arguments in commands(guide, "annotarium"):
            command: Any = typer.main.get_command(build_command_line())
            rest = [one for one in arguments if re.match(r"--|[a-z]", one)]
            while rest and hasattr(command, "commands"):
                assert rest[0] in command.commands, f"{guide}: annotarium {' '.join(arguments)}"
                command = command.commands[rest.pop(0)]
                seen += 1
            known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
            missing = {one for one in rest if one.startswith("--")} - known
            assert not missing, f"{guide}: annotarium {' '.join(arguments)} has no {missing}"
    assert seen > 10


def test_settings_that_the_readme_names_exist() -> None:
    named = {word.removeprefix("ANNOTARIUM_").partition("=")[0] for word in quoted_names("README.md")}
    asked = {name.lower() for name in named if re.fullmatch(r"[A-Z][A-Z_]{3,}", name)}
    known = {name.lower() for name in Settings.model_fields}
    assert {"database_url", "redis_url", "smtp_host"} <= asked
    assert asked <= known | {"folder", "name"}, asked - known


def test_every_decision_has_a_number_of_its_own_and_stands_in_the_index() -> None:
    numbers = [path.name[:4] for path in write_decision_index.decisions()]
    assert len(numbers) > 50
    assert len(set(numbers)) == len(numbers), "two decisions with one number"
    written = write_decision_index.INDEX.read_text(encoding="utf-8")
    assert written == write_decision_index.decision_index_text(), "python core/tools/write_decision_index.py"


def test_no_document_refers_to_a_design_outside_of_the_repository() -> None:
    tracked = [path for folder in ("core", "engines", "plugins", "schemas") for path in (ROOT / folder).rglob("*.py")]
    tracked += [*(ROOT / "core/decisions").glob("*.md"), *(ROOT / guide for guide in GUIDES)]
    marks = re.compile(r"\bDESIGN \d")
    assert [path.name for path in tracked if marks.search(path.read_text(encoding="utf-8"))] == []
