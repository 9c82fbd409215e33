"""The dictionary finds what a slow search over all ranges of tokens finds, at exact offsets, in any script."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium_engines.gazetteers.dictionary_gazetteer import DictionaryGazetteer
from annotarium_engines.gazetteers.gazetteer_parameters import DictionaryGazetteerParameters
from annotarium_engines.gazetteers.term_forms import is_acronym
from annotarium_engines.gazetteers.token_splitter import TokenSplitter
from annotarium_engines.gazetteers.word_keys import KeyRule, WordKeys
from annotarium_schemas.documents import Document, Term

PARTS = (
    *("a", "A", "b", "ab", "AB", "cats", "cat", "é", "e\u0301", "E", "ß", "SS", "ss", "İ", "i\u0307", "i", "ﬁ", "fi"),
    *(
        "𝔘",
        "U",
        "😀",
        "東",
        "京",
        "กิ",
        "น",
        "ｶﾞ",
        "हि",
        "'s",
        "’s",
        "-",
        " - ",
        "+",
        ".",
        "_",
        "1",
        "²",
        "\u00ad",
        "\u0301",
    ),
)
SEPARATORS = ("", " ", "  ", "\n", "\u00a0", "\n\n")
texts = st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(SEPARATORS)), max_size=14).map(
    lambda pairs: "".join(part + separator for part, separator in pairs)
)
forms = st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(("", " "))), min_size=1, max_size=4).map(
    lambda pairs: "".join(part + separator for part, separator in pairs).strip()
)
rules = st.fixed_dictionaries(
    {
        "variants": st.sampled_from(["none", "plural", "stem"]),
        "case_sensitive": st.booleans(),
        "acronyms": st.booleans(),
        "fold_diacritics": st.booleans(),
        "ignore_hyphens": st.booleans(),
    }
)


def gazetteer_of(given_forms: list[str], rule: dict[str, Any]) -> DictionaryGazetteer:
    parameters = {"minimum_length": 1, "stop_words": False, "overlaps": "all"} | rule
    gazetteer = DictionaryGazetteer(DictionaryGazetteerParameters.model_validate(parameters))
    terms = [Term(identifier=str(n), lexicon="l", preferred_form=form) for n, form in enumerate(given_forms)]
    gazetteer.synchronize(terms, language="en")
    return gazetteer


def keys_of(tokens: list[str], keys: WordKeys) -> list[str]:
    """Keys of tokens; an empty line matches nothing."""
    return [key for key in ("\n" if token[0] == "\n" else keys.key(token) for token in tokens) if key]


def naive_matches(text: str, form: str, rule: dict[str, Any]) -> set[tuple[int, int]]:
    """All ranges of tokens whose keys are those of the form; they neither begin nor end with an ignored token."""
    case = rule["case_sensitive"] or (rule["acronyms"] and is_acronym(form))
    keys = WordKeys(KeyRule(case, rule["fold_diacritics"], rule["variants"]), "en")
    splitter = TokenSplitter(ignore_hyphens=rule["ignore_hyphens"])
    form = " ".join(form.split())
    wanted = keys_of(splitter.split(form).tokens, keys)
    if not wanted or (form.isascii() and not any(map(str.isalnum, form))):
        return set()
    tokens, borders = splitter.split(text)
    found = set()
    for first in range(len(tokens)):
        for past in range(first + 1, len(tokens) + 1):
            ends = [tokens[first], tokens[past - 1]]
            if keys_of(tokens[first:past], keys) == wanted and len(keys_of(ends, keys)) == 2:
                found.add((borders[2 * first], borders[2 * past - 1]))
    return found


@settings(max_examples=300, deadline=None)
@given(texts, st.lists(forms, min_size=1, max_size=5, unique=True), rules)
def test_it_agrees_with_a_naive_search(text: str, given_forms: list[str], rule: dict[str, Any]) -> None:
    """Also: the text of every match normalises to a form of its term, and its offsets are exact."""
    (document,) = gazetteer_of(given_forms, rule).annotate([Document(text=text)], "en")
    expected = {
        (start, end, number)
        for number, form in enumerate(given_forms)
        for start, end in naive_matches(text, form, rule)
    }
    found = {(one.start, one.end, int(linked.identifier)) for one in document.annotations for linked in one.terms or []}
    assert found == expected
    assert all(one.text == text[one.start : one.end] for one in document.annotations)


@settings(max_examples=200, deadline=None)
@given(texts, st.lists(forms, min_size=1, max_size=5, unique=True), rules)
def test_the_longest_matches_do_not_overlap_and_are_maximal(
    text: str, given_forms: list[str], rule: dict[str, Any]
) -> None:
    everything, selected = (
        [(one.start, one.end) for one in next(gazetteer.annotate([Document(text=text)], "en")).annotations]
        for gazetteer in (gazetteer_of(given_forms, rule), gazetteer_of(given_forms, rule | {"overlaps": "longest"}))
    )
    assert all(one[1] <= other[0] for one, other in pairwise(selected))
    expected: list[tuple[int, int]] = []
    for start, end in sorted(set(everything), key=lambda one: (one[0] - one[1], one[0])):
        if all(end <= other[0] or start >= other[1] for other in expected):
            expected.append((start, end))
    assert selected == sorted(expected)


@settings(max_examples=150, deadline=None)
@given(st.lists(texts, min_size=2, max_size=6), st.lists(forms, min_size=1, max_size=5, unique=True), rules)
def test_texts_that_are_read_together_do_not_influence_each_other(
    several: list[str], given_forms: list[str], rule: dict[str, Any]
) -> None:
    gazetteer = gazetteer_of(given_forms, rule)
    together = gazetteer.find(several)
    assert together == [gazetteer.find([text])[0] for text in several]


@settings(max_examples=200, deadline=None)
@given(st.text(), st.lists(st.text(min_size=1), min_size=1, max_size=4), rules)
def test_any_text_is_accepted(text: str, given_forms: list[str], rule: dict[str, Any]) -> None:
    for start, end, _, _ in gazetteer_of(given_forms, rule).find([text, *given_forms])[0]:
        assert 0 <= start < end <= len(text)
