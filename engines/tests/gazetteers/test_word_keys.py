"""Which words are the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium_engines.gazetteers.word_keys import KeyRule, Variants, WordKeys


def same(one: str, other: str, language: str = "en", **rule: object) -> bool:
    values = {"case_sensitive": False, "fold_diacritics": False, "variants": "none"} | rule
    keys = WordKeys(KeyRule(**values), language)  # type: ignore[arg-type]
    return keys.key(one) == keys.key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße", "STRASSE"),
        ("İstanbul", "i\u0307stanbul"),
        ("ﬁne", "fine"),
        ("é", "e\u0301"),
        ("ＡＢＣ", "abc"),
        ("soft\u00adhyphen", "softhyphen"),
        ("ΣΟΦΟΣ", "σοφος"),
    ],
)
def test_spellings_of_one_word_are_the_same(one: str, other: str) -> None:
    assert same(one, other)


def test_diacritics_count_unless_they_are_folded() -> None:
    for one, other in (("Sjögren", "sjogren"), ("œuvre", "oeuvre"), ("Łódź", "lodz"), ("كَتَبَ", "كتب")):
        assert not same(one, other)
        assert same(one, other, fold_diacritics=True)
    assert not same("कि", "की", fold_diacritics=True), "vowel signs are letters"
    assert not same("か\u3099", "か", fold_diacritics=True)


@pytest.mark.parametrize(
    ("language", "singular", "plural"),
    [
        ("en", "disease", "diseases"),
        ("en", "biopsy", "biopsies"),
        ("en", "virus", "viruses"),
        ("en", "class", "classes"),
        ("en", "box", "boxes"),
        ("fr", "journal", "journaux"),
        ("fr", "bateau", "bateaux"),
        ("fr", "école", "écoles"),
        ("es", "ciudad", "ciudades"),
        ("es", "luz", "luces"),
        ("es", "casa", "casas"),
        ("pt", "nação", "nações"),
        ("pt", "animal", "animais"),
        ("de", "Kirche", "Kirchen"),
    ],
)
def test_singular_and_plural_are_the_same(language: str, singular: str, plural: str) -> None:
    assert same(singular, plural, language, variants="plural")
    assert not same(singular, plural, language)


def test_words_that_only_look_like_plurals_differ_from_what_is_left() -> None:
    assert not same("analysis", "analysi", variants="plural")
    assert not same("gas", "ga", variants="plural")


def test_stems_combine_more() -> None:
    assert same("vaccinated", "vaccinating", variants="stem")
    assert not same("vaccinated", "vaccinating", variants="plural")


def test_case_counts_with_variants_too() -> None:
    rule = {"case_sensitive": True, "variants": "plural"}
    assert same("NSAID", "NSAIDs", **rule)
    assert same("Apple", "Apples", **rule)
    assert not same("Apple", "apples", **rule)
    assert not same("AIDS", "aids", **rule)
    assert not same("AIDS", "AID", **rule)


def test_a_possessive_is_ignored_with_variants_only() -> None:
    assert WordKeys(KeyRule(False, False, "plural"), "en").key("'s") == ""
    assert WordKeys(KeyRule(False, False, "none"), "en").key("’s") == "'s"


VARIANTS: list[Variants] = ["none", "plural", "stem"]


@given(st.text(min_size=1, max_size=12), st.booleans(), st.booleans(), st.sampled_from(VARIANTS))
def test_equal_words_have_equal_keys_whatever_their_case(word: str, case: bool, fold: bool, variants: Variants) -> None:
    keys = WordKeys(KeyRule(case, fold, variants), "en")
    assert keys.key(word) == keys.key(word)
    if not case and word.isascii():
        assert keys.key(word.upper()) == keys.key(word.lower())
    assert "\n" not in keys.key(word.replace("\n", ""))
