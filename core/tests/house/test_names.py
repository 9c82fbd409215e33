"""One vocabulary (core/GLOSSARY.md): no module, class or function is named in the dialect that decision 0121 ended."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
DENIED = set(
    re.findall(
        r"\w+",
        """
    say said saying act acts turn turns turning turned kept desk office housekeep housekeeper housekeeping sibling
    siblings bean beans wire tell tells telling told material leftover leftovers standing twin twins piece pieces
    likeness alike feeding cutting giving meant asked chosen gate moment moments beside words record records
    """,
    )
)
PUBLISHED = {
    *("SherpaJobBean", "ServiceRecord", "HttpServiceRecord"),
    *("begin_pieces", "read_pieces", "add_piece", "cancel_pieces"),
}
"""Names of shapes and operations in the published description."""
TERMS = {
    "office": r"^core/bench/|^core/tests/(domains/documents|importing)/|/importing/archives|^plugins/tests/",
    "piece": r"converters/office/doc_structures|vectorizers/wordpiece",  # the piece table of [MS-DOC]; a tokenizer
    "pieces": r"converters/office/doc_structures",
    "record": r"converters/office/ppt_records|resources/concepts",  # the records of [MS-PPT]; Record<K, V>
    "records": r"converters/office/ppt_records",
    "words": r"/search/|/segments/|/segmenters/|converters/common/eml_reader|^engines/|^webapp/src/ui/fuzzy-match",
}
"""Terms of the trade, by the files where they are: Office formats, records of binary formats, words of a language."""
VERBS = re.compile(r"_?record(_|$)")  # to record a change
TYPESCRIPT = re.compile(
    r"^[ \t]*(?:export[ \t]+)?(?:async[ \t]+)?(?:function|class|interface|type|enum)[ \t]+(\w+)"
    r"|^[ \t]*(?:export[ \t]+)?const[ \t]+(\w+)[ \t]*=[ \t]*(?:async[ \t]*)?(?:\([^()\n]*\)|\w+)[ \t]*(?::[^=\n]+)?=>",
    re.MULTILINE,
)
MOST_AT_ROOT = 6


def files() -> list[str]:
    """All files of the repository that people name, new ones too; migrations have dates."""
    if (ROOT / ".git").exists():
        command = ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard"]
        names = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    else:  # unpacked from a source archive
        names = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")]
        names = [name for name in names if not {"node_modules", ".venv"} & set(name.split("/"))]
    return [
        name
        for name in names
        if re.search(r"\.(py|tsx?|css|mjs)$", name)
        and (ROOT / name).is_file()
        and "/migrations/versions/" not in name
        and not name.startswith("core/annotarium/webapp/")
    ]


def parts_of(name: str) -> set[str]:
    """The words a name is made of, in any style."""
    spaced = re.sub(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3 \2\4", name)
    return {word.lower() for word in re.split(r"[\W_]+", spaced) if word}


def declared(name: str) -> Iterator[str]:
    """Names of classes and functions that a file declares."""
    text = (ROOT / name).read_text(encoding="utf-8")
    if name.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                verb = VERBS.match(node.name) and not isinstance(node, ast.ClassDef)
                yield VERBS.sub("", node.name, count=1) if verb else node.name
    elif name.endswith((".ts", ".tsx")) and not name.endswith("schema.d.ts"):
        for found in TYPESCRIPT.finditer(text):
            yield found[1] or found[2]


def is_denied(name: str, file: str) -> bool:
    """Whether a name in a file speaks the dialect."""
    if name in PUBLISHED:
        return False
    return any(word not in TERMS or not re.search(TERMS[word], file) for word in parts_of(name) & DENIED)


def test_no_module_class_or_function_is_named_in_the_old_dialect() -> None:
    named = files()
    assert len(named) > 1_500, "the files are not found"
    offences = [name for name in named if is_denied(Path(name).stem, name) and name != SHIM]
    offences += [f"{name}: {one}" for name in named if name != SHIM for one in declared(name) if is_denied(one, name)]
    assert not offences, "core/GLOSSARY.md has the terms for these:\n" + "\n".join(offences)


SHIM = "schemas/annotarium_schemas/said.py"
"""Goes on working for components of others, under the old names."""


@pytest.mark.parametrize(
    ("name", "file", "denied"),
    [
        ("WriteTurn", "core/annotarium/db/x.py", True),
        ("isTold", "webapp/src/x.ts", True),
        ("test_files_are_kept", "core/tests/x.py", True),
        ("DatabaseRecord", "core/annotarium/db/x.py", True),
        ("stop_words", "engines/annotarium_engines/x.py", False),
        ("in_words", "core/annotarium/jobs/x.py", True),
        ("SherpaJobBean", "core/annotarium/domains/jobs/schemas.py", False),
        ("return_value", "core/annotarium/db/x.py", False),
    ],
)
def test_names_are_taken_apart(name: str, file: str, denied: bool) -> None:
    assert is_denied(name, file) is denied


def test_the_root_of_the_server_stays_a_hall() -> None:
    modules = sorted(path.name for path in (ROOT / "core" / "annotarium").glob("*.py"))
    assert len(modules) <= MOST_AT_ROOT, modules
