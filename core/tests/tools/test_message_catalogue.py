"""The English catalogue is made of the calls of `message` in the code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from message_catalogue import UnusableMessage, catalogue_json, english_catalogue, message_calls

IMPORT = "from annotarium_schemas.messages import message\n"


def catalogue_of(root: Path, *modules: str) -> dict[str, Any]:
    folder = root / "core/annotarium"
    folder.mkdir(parents=True, exist_ok=True)
    for number, module in enumerate(modules):
        (folder / f"module{number}.py").write_text(IMPORT + module, encoding="utf-8")
    return english_catalogue(message_calls(root))


def test_texts_numbers_and_plurals(tmp_path: Path) -> None:
    module = """
COMMON = "The form has no parts"
def describe(count, f1):
    text, other = "{count:,} notes by {name}", "unused"
    message("note.made", text, one="{count:,} note by {name}", count=count, name="Ada")
    message("note.score", "F1 {f1:.2f} in {seconds:g} s", f1=f1, seconds=2.5)
    return message("form.empty", COMMON)
"""
    assert catalogue_of(tmp_path, module) == {
        "form": {"empty": "The form has no parts"},
        "note": {
            "made_one": "{{count, number}} note by {{name}}",
            "made_other": "{{count, number}} notes by {{name}}",
            "score": "F1 {{f1, score}} in {{seconds, number}} s",
        },
    }


def test_the_file_is_sorted_and_readable() -> None:
    assert catalogue_json({"b": "é", "a": {"z": "1"}}) == '{\n  "a": {\n    "z": "1"\n  },\n  "b": "é"\n}\n'


@pytest.mark.parametrize(
    ("module", "why"),
    [
        ('message("a.b", text)', "neither a literal"),
        ('message(code, "text")', "a code is written out"),
        ('message("a.b", "{size:>8}", size=1)', "no equivalent"),
        ('message("a.b", "{name!r}", name=1)', "no equivalent"),
        ('message("a.b", "{{}}")', "braces"),
        ('message("a.b", "one")\nmessage("a.b", "another")', "has another text at core/annotarium/module0.py:2"),
        ('message("a.b", "two")\nmessage("a.b", "two", one="one", count=1)', "has another text"),
    ],
)
def test_a_message_that_cannot_be_translated_is_refused(tmp_path: Path, module: str, why: str) -> None:
    with pytest.raises(UnusableMessage, match=why):
        catalogue_of(tmp_path, module)
