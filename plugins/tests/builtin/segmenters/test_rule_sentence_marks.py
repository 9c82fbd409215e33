"""Sentence boundaries are the same whether every character is tried or only those where a boundary can begin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium_plugins.builtin.segmenters import rule_sentence

ODD = "ab1 .!?…。！।॥\r\n\u2028\u2029\u00a0()[]{}（）「」『』《》“”\"'»-•\ufe0f"


@given(st.text(alphabet=ODD, max_size=80), st.sampled_from(["blank_line", "always", "never"]), st.booleans())
def test_fast_search_finds_the_same_boundaries(text: str, newlines: str, quotes_nest: bool) -> None:
    tokens = rule_sentence._boundary_pattern(newlines, quotes_nest)
    found = [(token.span(), token.lastgroup) for token in rule_sentence._find_boundaries(tokens, text)]
    assert found == [(token.span(), token.lastgroup) for token in tokens.finditer(text)]


@pytest.mark.parametrize("newlines", ["blank_line", "always", "never"])
@pytest.mark.parametrize("quotes_nest", [False, True])
def test_every_character_that_can_begin_a_boundary_is_tried(newlines: str, quotes_nest: bool) -> None:
    tokens = rule_sentence._boundary_pattern(newlines, quotes_nest)
    for code in range(0x10000):
        if tokens.match(f"{chr(code)} \n\n"):
            assert rule_sentence._BEGINS.match(chr(code)), hex(code)
