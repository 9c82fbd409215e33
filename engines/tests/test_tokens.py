from __future__ import annotations

import time
from pathlib import Path
from types import ModuleType

import pytest

from annotarium_engines.tokens import tokenize


def words(text: str) -> list[str]:
    return [token.text for token in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pre-war U.S. troops.", ["pre", "-", "war", "U.S.", "troops", "."]),
        ("l’homme d'Italie", ["l", "’", "homme", "d", "'", "Italie"]),
        ("see http://a.b/c?d=e). Now", ["see", "http://a.b/c?d=e", ")", ".", "Now"]),
        ("@bob likes #films :)", ["@bob", "likes", "#films", ":)"]),
        ("BRCA1 in 3.5% on 12/05/2020", ["BRCA1", "in", "3.5", "%", "on", "12/05/2020"]),
        ("write to a.b@c.org!", ["write", "to", "a.b@c.org", "!"]),
        ("東京は", ["東", "京", "は"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("العربيّة لغة", ["العربيّة", "لغة"]),
        ("😀e\u0301t\u00e9", ["😀", "e\u0301t\u00e9"]),
        (" \t\n\u2028 ", []),
    ],
)
def test_tokens_of_many_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_offsets_are_code_points_also_beyond_the_basic_plane() -> None:
    text = "😀😀 Zoë’s 𝒜 file.txt \u200d x"
    assert all(text[token.start : token.end] == token.text for token in tokenize(text))


def test_no_visible_character_is_lost() -> None:
    text = "a_b __c__ «d» … ½ 10:30 &amp; ¿e? w/f 'g' [h]"
    assert "".join(words(text)) == "".join(text.split())


@pytest.mark.parametrize(
    "text", ["-a" * 100_000, "a" * 200_000, "a." * 100_000, "1:" * 100_000, "http://" + "!" * 100_000]
)
def test_hostile_text_takes_no_more_than_linear_time(text: str) -> None:
    before = time.process_time()
    tokenize(text)
    assert time.process_time() - before < 5


def test_boundaries_of_real_entities_are_boundaries_of_tokens(data: Path, convert: ModuleType) -> None:
    for name in ["wnut17/emerging.test.annotated", "NCBI-disease/test.tsv", "conll2002-es/esp.testb"]:
        for document in convert.conll_documents(data / name, "test"):
            tokens = tokenize(document["text"])
            starts, ends = {token.start for token in tokens}, {token.end for token in tokens}
            for annotation in document["annotations"]:
                assert annotation["start"] in starts, document["text"]
                assert annotation["end"] in ends, document["text"]
