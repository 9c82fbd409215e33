"""Tokens that terms and texts are compared by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium_engines.gazetteers.token_splitter import TokenSplitter


def words(text: str, *, ignore_hyphens: bool = True) -> list[str]:
    return TokenSplitter(ignore_hyphens=ignore_hyphens).split(text).tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T-cell (CD4+)", ["T", "cell", "(", "CD4", "+", ")"]),
        ("T - cell", ["T", "cell"]),
        ("a -b", ["a", "-", "b"]),
        ("Parkinson's disease", ["Parkinson", "'s", "disease"]),
        ("Parkinson’s naïve", ["Parkinson", "’s", "naïve"]),
        ("C++ node.js", ["C", "+", "+", "node", ".", "js"]),
        ("gene_name", ["gene", "_", "name"]),
        ("one\n\ntwo\nthree", ["one", "\n\n", "two", "three"]),
        ("东京 iPhone手机", ["东", "京", "iPhone", "手", "机"]),
        ("ｶﾞ か\u3099", ["ｶﾞ", "か\u3099"]),
        ("กิน", ["กิ", "น"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("e\u0301te\u0301 \U0001d518\U0001d52b", ["e\u0301te\u0301", "\U0001d518\U0001d52b"]),
        ("soft\u00adhyphen", ["soft\u00adhyphen"]),
        ("", []),
        (" \n\t", []),
    ],
)
def test_tokens_of_many_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_hyphens_may_count() -> None:
    assert words("T-cell", ignore_hyphens=False) == ["T", "-", "cell"]


@given(st.text(), st.booleans())
def test_borders_are_the_offsets_of_the_tokens(text: str, ignore_hyphens: bool) -> None:
    tokens, borders = TokenSplitter(ignore_hyphens=ignore_hyphens).split(text)
    assert [text[borders[2 * at] : borders[2 * at + 1]] for at in range(len(tokens))] == tokens
    assert all(tokens)
    assert borders == sorted(borders)


@given(st.text(alphabet="aB1-é’s \n東กิ\u0301_", max_size=40))
def test_every_letter_belongs_to_a_token(text: str) -> None:
    assert sum(map(str.isalnum, "".join(words(text)))) == sum(map(str.isalnum, text))
