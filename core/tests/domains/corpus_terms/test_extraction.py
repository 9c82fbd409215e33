"""Sequences of words that may be terms, and counting them in bounded memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium.domains.corpus_terms.counting import Candidate, FormCounter, compare_with_terms, without_parts
from annotarium.domains.corpus_terms.extraction import find_sequences, form_key, similarity_key
from annotarium_schemas.documents import Term


def keys(text: str, language: str = "en") -> set[str]:
    return {one.key for one in find_sequences(text, language)}


def test_punctuation_and_articles_end_a_sequence() -> None:
    """Neither end is a function word; `of` may stand inside; nothing crosses a comma."""
    found = keys("The acute cancer of the lung, severe cough. He took aspirin")
    assert {"acute cancer", "severe cough"} <= found
    assert not any(key.startswith(("the ", "of ")) or key.endswith((" of", " the")) for key in found)
    assert not any("lung severe" in key for key in found)
    assert "cancer of lung" in keys("a cancer of lung")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("We found BRCA1 there", True), ("He visited Paris twice", True), ("Coughing is common", False)],
)
def test_a_single_word_counts_if_it_looks_like_a_name(text: str, expected: bool) -> None:
    words = {"brca1", "paris", "coughing"}
    assert bool(keys(text) & words) is expected


def test_an_elided_article_is_not_part_of_a_sequence() -> None:
    assert "insuffisance cardiaque" in keys("une maladie, l’insuffisance cardiaque", "fr")


@given(st.text(max_size=200), st.sampled_from(["en", "fr", "xx", "zh"]))
def test_offsets_are_those_of_the_text(text: str, language: str) -> None:
    """The key is always that of the slice, whatever the text."""
    for one in find_sequences(text, language):
        assert 0 <= one.start < one.end <= len(text)
        assert one.key == form_key(text[one.start : one.end])


def test_similar_forms() -> None:
    assert similarity_key("Lung cancers") == similarity_key("cancer, lung")
    assert similarity_key("Crohn-disease") == similarity_key("Crohn disease")
    assert similarity_key("été") == similarity_key("ete")


def test_counting_is_bounded() -> None:
    """Frequent forms survive when rare ones fill the memory."""
    counter = FormCounter(limit=100)
    for number in range(5_000):
        counter.add(f"rare {number}", number, 0, 1)
        counter.add("frequent", number, 0, 1, "X")
    assert len(counter.forms) <= 100
    kept = counter.forms["frequent"]
    assert (kept.occurrences, kept.documents, len(kept.positions)) == (5_000, 5_000, 3)


def test_a_form_inside_a_longer_one_is_dropped_unless_it_is_more_frequent() -> None:
    counter = FormCounter()
    for number in range(3):
        for key in ("acute heart failure", "heart failure", "acute heart"):
            counter.add(key, number, 0, 1)
    counter.add("heart failure", 9, 0, 1)
    assert set(without_parts(counter.forms)) == {"acute heart failure", "heart failure"}


def test_known_forms_are_no_candidates_and_similar_terms_are_named() -> None:
    counter = FormCounter()
    candidates = []
    for key in ("asthma", "bronchial asthma", "lung cancers"):
        counter.add(key, 1, 0, 1)
        candidates.append(Candidate(key, "sequence", counter.forms[key]))
    terms = [
        Term(identifier="1", lexicon="d", preferred_form="Asthma", properties={"altForms": ["Bronchial  asthma"]}),
        Term(identifier="2", lexicon="d", preferred_form="cancer of lung", properties={"altForms": ["lung cancer"]}),
    ]
    (left,) = compare_with_terms(candidates, terms)
    assert left.key == "lung cancers"
    assert left.similar == [{"lexicon": "d", "identifier": "2", "preferredForm": "cancer of lung"}]
