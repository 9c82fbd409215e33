"""What the dictionary gazetteer finds (C-053: terms of annotations)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from annotarium_engines.gazetteers.dictionary_gazetteer import _WINDOW, MOST_MATCHES, DictionaryGazetteer
from annotarium_engines.gazetteers.gazetteer_parameters import DictionaryGazetteerParameters
from annotarium_engines.gazetteers.token_trie import MAX_NESTED
from annotarium_plugins.base.component import Cancelled, ComponentError
from annotarium_schemas.documents import Annotation, Document, Term


def term(form: str, identifier: str = "", lexicon: str = "things", **properties: Any) -> Term:
    return Term(identifier=identifier or form, lexicon=lexicon, preferred_form=form, properties=properties)


def synchronized(terms: Iterable[Term], language: str = "en", **parameters: Any) -> DictionaryGazetteer:
    gazetteer = DictionaryGazetteer(DictionaryGazetteerParameters.model_validate(parameters))
    gazetteer.synchronize(terms, language=language)
    return gazetteer


def annotate(gazetteer: DictionaryGazetteer, text: str) -> list[Annotation]:
    (document,) = gazetteer.annotate([Document(identifier="d", text=text)], "en")
    assert all(one.text == text[one.start : one.end] for one in document.annotations)
    return document.annotations


def found(text: str, terms: Sequence[str | Term], language: str = "en", **parameters: Any) -> list[str]:
    made = [one if isinstance(one, Term) else term(one) for one in terms]
    return [one.text for one in annotate(synchronized(made, language, **parameters), text)]


def identifiers(annotation: Annotation) -> list[str]:
    return [one.identifier for one in annotation.terms or []]


def test_an_annotation_names_its_term_and_lexicon() -> None:
    (one,) = annotate(synchronized([term("lung cancer", "D:1", "diseases")]), "She had Lung  cancer.")
    assert (one.start, one.end, one.label_name, one.creation_mode) == (8, 20, "diseases", "automatic")
    assert one.terms == [Term(identifier="D:1", lexicon="diseases", preferred_form="lung cancer")]


def test_existing_annotations_stay() -> None:
    mine = Annotation(start=0, end=3, text="The", label_name="x")
    document = Document(identifier="d", text="The cat", annotations=[mine])
    (after,) = synchronized([term("cat")]).annotate([document], "en")
    assert [one.text for one in after.annotations] == ["The", "cat"]
    assert document.annotations == [mine], "the given document is not changed"


def test_only_whole_words_match() -> None:
    assert found("concatenate the cat, cat-like scat", ["cat"]) == ["cat", "cat"]
    assert found("C++ and C and C+", ["C++"]) == ["C++"]


def test_offsets_are_those_of_the_source_text() -> None:
    """Folding changes lengths (ß, İ, ligatures, combining marks), and characters beyond the basic plane count once."""
    text = "😀 STRASSE, Straße; İstanbul ﬁne ﬁnal e\u0301te\u0301 𝔘𝔫𝔦"
    assert found(text, ["straße", "fine", "final", "été", "uni"]) == [
        "STRASSE", "Straße", "ﬁne", "ﬁnal", "e\u0301te\u0301", "𝔘𝔫𝔦",
    ]  # fmt: skip
    assert found(text, ["istanbul"], fold_diacritics=True) == ["İstanbul"]


def test_scripts_without_spaces_match_inside_runs() -> None:
    assert found("我住在东京都,不是京都。", ["东京", "京都", "东京都"], "zh") == ["东京都", "京都"]
    assert found("ฉันอยู่กรุงเทพครับ", ["กรุงเทพ"], "xx") == ["กรุงเทพ"]
    assert found("データベースの", ["データ", "データベース"], "ja") == ["データベース"]


def test_the_longest_of_overlapping_terms_is_annotated() -> None:
    terms = ["new york", "york", "york university hospital", "hospital"]
    assert found("New York University Hospital", terms) == ["York University Hospital"]
    assert found("New York University Hospital", terms, overlaps="all") == [
        "New York", "York", "York University Hospital", "Hospital",
    ]  # fmt: skip


def test_an_earlier_lexicon_wins_over_a_longer_term() -> None:
    terms = [term("new york times", lexicon="papers"), term("york", lexicon="places")]
    rule = {"overlaps": "first_lexicon"}
    assert found("New York Times", terms, lexicons=["places", "papers"], **rule) == ["York"]
    assert found("New York Times", terms, lexicons=["papers", "places"], **rule) == ["New York Times"]


def test_only_the_lexicons_of_the_parameters_are_used() -> None:
    terms = [term("cat", lexicon="animals"), term("tree", lexicon="plants")]
    assert found("cat tree", terms, lexicons=["plants"]) == ["tree"]


def test_acronyms_match_in_capitals_only() -> None:
    assert found("AIDS aids; It is an IT job", ["AIDS", "IT"]) == ["AIDS", "IT"]
    assert found("AIDS aids", ["AIDS"], acronyms=False) == ["AIDS", "aids"]
    assert found("NSAIDs help", ["NSAID"]) == ["NSAIDs"]


def test_short_and_frequent_words_are_left_out() -> None:
    assert found("a B it can x9 cat", ["a", "it", "can", "x9", "cat"]) == ["x9", "cat"]
    assert found("it can", ["it", "can"], stop_words=False) == ["it", "can"]
    assert found("cat dog", ["Cat", "dog"], stop_terms=["CAT"]) == ["dog"]
    assert found("cat horse", ["cat", "horse"], minimum_length=4) == ["horse"]


def test_variants() -> None:
    text = "Tumors, biopsies and Alzheimer's disease, Alzheimer disease"
    terms = ["tumor", "biopsy", "Alzheimer disease"]
    assert found(text, terms, variants="none") == ["Alzheimer disease"]
    assert found(text, terms) == ["Tumors", "biopsies", "Alzheimer's disease", "Alzheimer disease"]
    assert found("vaccinating", ["vaccinated"], variants="stem") == ["vaccinating"]


def test_hyphens() -> None:
    assert found("T cell, T-cell, T - cell", ["T-cell"]) == ["T cell", "T-cell", "T - cell"]
    assert found("T cell, T-cell", ["T-cell"], ignore_hyphens=False) == ["T-cell"]


def test_a_term_overrides_the_comparison() -> None:
    text = "Apple apple café cafe tumors os"
    overridden = [
        term("Apple", matching={"caseSensitive": True}),
        term("cafe", matching={"foldDiacritics": True}),
        term("tumor", matching={"variants": "plural"}),
        term("os", matching={"minimumLength": 3}),
        term("apples", matching={"disabled": True}),
    ]
    assert found(text, overridden, variants="none") == ["Apple", "café", "cafe", "tumors"]
    assert found("AIDS aids", [term("AIDS", matching={"caseSensitive": False})]) == ["AIDS", "aids"]
    assert found("cats", [term("cat", matching={"variants": False})]) == []
    assert found("cat", [term("cat", matching={"variants": ["?"], "minimumLength": "x", "caseSensitive": 1})]) == [
        "cat"
    ]


def test_synonyms_match_by_their_type_and_language() -> None:
    forms = [
        {"form": "heart attack", "type": "exact", "language": "en"},
        {"form": "infarctus", "type": "alternative", "language": "fr"},
        {"form": "coronary event", "type": "broad"},
        {"form": "MI", "type": "hidden"},
    ]
    one = term("myocardial infarction", altForms=["heart attack", "infarctus", "MI"], forms=forms)
    text = "heart attack infarctus coronary event MI"
    assert found(text, [one]) == ["heart attack", "MI"]
    assert found(text, [one], "fr") == ["infarctus", "MI"]
    assert found(text, [one], all_languages=True) == ["heart attack", "infarctus", "MI"]
    assert found(text, [one], other_forms=["broad"]) == ["heart attack", "coronary event", "MI"]


def test_obsolete_terms_are_left_out() -> None:
    assert found("cat", [term("cat", obsolete=True)]) == []
    assert found("cat", [term("cat", obsolete=True)], obsolete=True) == ["cat"]


MERCURY = [
    term(
        "Mercury", "m1", "planets", definitions=[{"text": "The planet that is nearest to the sun, in a small orbit."}]
    ),
    term("mercury", "m2", "elements", definitions=[{"text": "A heavy liquid metal, used in thermometers."}]),
]


def test_an_ambiguous_name_has_all_its_terms() -> None:
    (one,) = annotate(synchronized(MERCURY), "mercury")
    assert (identifiers(one), one.label_name) == (["m1", "m2"], "planets")
    (one,) = annotate(synchronized(MERCURY, lexicons=["elements", "planets"]), "mercury")
    assert (identifiers(one), one.label_name) == (["m2", "m1"], "elements")


def test_an_ambiguous_name_may_be_decided_by_the_order_of_lexicons() -> None:
    for order, expected in ((["planets", "elements"], "m1"), (["elements", "planets"], "m2")):
        (one,) = annotate(synchronized(MERCURY, lexicons=order, ambiguity="lexicon_order"), "Mercury")
        assert identifiers(one) == [expected]


def test_an_ambiguous_name_may_be_decided_by_its_context() -> None:
    gazetteer = synchronized(MERCURY, ambiguity="context")
    for text, expected in (
        ("The liquid in old thermometers is mercury.", "m2"),
        ("The orbit of Mercury around the sun", "m1"),
        ("mercury", "m1"),
    ):
        (one,) = annotate(gazetteer, text)
        assert identifiers(one) == [expected], text


def test_all_overlaps_give_one_annotation_per_label() -> None:
    both = annotate(synchronized(MERCURY, overlaps="all"), "mercury")
    assert [(one.label_name, identifiers(one)) for one in both] == [("planets", ["m1"]), ("elements", ["m2"])]


def test_labels_by_lexicon() -> None:
    terms = [term("cat", lexicon="animals"), term("tree", lexicon="plants"), term("rock", lexicon="stones")]
    labels = [{"found": "Animals", "label": "living"}, {"found": "plants", "label": ""}]
    names = [one.label_name for one in annotate(synchronized(terms, labels=labels), "cat tree rock")]
    assert names == ["living", "stones"]
    names = [one.label_name for one in annotate(synchronized(terms, labels=labels, other="thing"), "cat tree rock")]
    assert names == ["living", "thing"]


def test_labels_by_a_property() -> None:
    terms = [term("cat", kind=["pet", "mammal"]), term("tree", kind="plant"), term("rock")]
    labels = [{"found": "mammal", "label": "animal"}]
    by = {"label_by": "property", "label_property": "kind", "labels": labels}
    assert [one.label_name for one in annotate(synchronized(terms, **by), "cat tree rock")] == ["animal", "plant"]
    named = annotate(synchronized(terms, **by, other="thing"), "cat tree rock")
    assert [one.label_name for one in named] == ["animal", "thing", "thing"]


def test_too_many_labels_are_an_error_and_the_matcher_stays() -> None:
    gazetteer = synchronized([term("cat", kind="pet")], label_by="property", label_property="kind")
    with pytest.raises(ComponentError, match="too many labels"):
        gazetteer.synchronize((term(f"w{n}x", kind=f"k{n}") for n in range(6000)), language="en")
    assert [one.text for one in annotate(gazetteer, "cat w7x")] == ["cat"]


def test_no_match_crosses_an_empty_line_or_a_text() -> None:
    assert found("new\nyork new\n\nyork", ["new york"]) == ["new\nyork"]
    documents = [Document(text="new"), Document(text="york")]
    assert not any(one.annotations for one in synchronized([term("new york")]).annotate(documents, "en"))


def test_long_texts_are_read_in_parts_with_the_same_offsets() -> None:
    text = "filler word\n" * (2 * _WINDOW // 12) + "lung cancer"
    (one,) = annotate(synchronized([term("lung cancer")]), text)
    assert (one.start, one.end) == (len(text) - 11, len(text))


def test_documents_are_read_as_they_come() -> None:
    read: list[int] = []

    def documents() -> Iterable[Document]:
        for number in range(5):
            read.append(number)
            yield Document(identifier=str(number), text="cat " * (_WINDOW // 8))

    stream = synchronized([term("cat")]).annotate(documents(), "en")
    next(iter(stream))
    assert len(read) < 5


def test_forms_that_cannot_be_found_are_counted() -> None:
    gazetteer = synchronized([term("--"), term("word " * 100), term("cat"), term("x" * 2000)])
    assert (gazetteer.terms, gazetteer.left_out) == (1, 2)


def test_many_synonyms_of_one_term_and_many_terms_of_one_form() -> None:
    gazetteer = synchronized([term("cat", altForms=[f"cat {number} x" for number in range(20_000)])])
    assert [one.text for one in annotate(gazetteer, "cat 19999 x")] == ["cat 19999 x"]
    (one,) = annotate(synchronized(term("cat", str(number)) for number in range(5_000)), "cat")
    assert identifiers(one) == [str(number) for number in range(50)]


def test_text_of_one_repeated_word_has_the_longest_terms() -> None:
    terms = [term(" ".join(["a1"] * size)) for size in range(1, 60)]
    matches = synchronized(terms).find(["a1 " * 2_000])
    assert sum(len(one.terms) for one in matches[0]) == -(-2_000 // 59)


def test_of_many_terms_that_begin_at_one_word_the_longest_are_annotated() -> None:
    """A text of one word, 59 times nested, has at most 8 matches a word and not 59, which would fill the memory."""
    terms = [term(" ".join(["a1"] * size)) for size in range(1, 60)]
    gazetteer = synchronized(terms, overlaps="all")
    lengths: dict[int, list[int]] = {}
    for one in gazetteer.find(["a1 " * 100])[0]:
        lengths.setdefault(one.start, []).append((one.end - one.start + 1) // 3)
    assert lengths[0] == lengths[3] == list(range(59 - MAX_NESTED + 1, 60))
    assert lengths[3 * 94] == [1, 2, 3, 4, 5, 6], "fewer at the end of the text"
    assert len(gazetteer.find(["a1 " * 60_000])[0]) < MAX_NESTED * 60_000


@pytest.mark.parametrize("length", [20_000, 60_000], ids=["one window", "windows"])
def test_too_many_overlapping_terms_in_a_text_leave_the_longest(length: int) -> None:
    """Otherwise such a text of 300 kB has 800,000 annotations, which take gigabytes."""
    terms = [term(" ".join(["a1"] * size)) for size in range(1, 60)]
    gazetteer = synchronized(terms, overlaps="all")
    many, few = gazetteer.find(["a1 " * length, "a1 a1"])
    assert (len(many), gazetteer.simplified) == (len(synchronized(terms).find(["a1 " * length])[0]), 1)
    assert len(few) == 3, "a text within the limit has all its terms"
    below = MOST_MATCHES // MAX_NESTED
    assert len(gazetteer.find(["a1 " * below])[0]) > below
    assert gazetteer.simplified == 1


def test_a_form_of_many_terms_costs_no_memory_per_match() -> None:
    """Matches of a name share the terms, and annotations their objects: 50 for each of 2,000 matches otherwise."""
    gazetteer = synchronized(term("cat", str(number)) for number in range(2_000))
    matches = gazetteer.find(["cat " * 2_000])[0]
    assert len({id(one.terms) for one in matches}) == 1
    annotations = annotate(gazetteer, "cat " * 2_000)
    assert len({id(one) for annotation in annotations for one in annotation.terms or []}) == 50
    assert len({id(annotation.terms) for annotation in annotations}) == 2_000, "a list of its own each"


def test_synchronising_can_be_cancelled() -> None:
    def progress(step: int, total: int, text: str) -> None:
        if step >= 5_000:
            raise Cancelled

    with pytest.raises(Cancelled):
        DictionaryGazetteer(DictionaryGazetteerParameters()).synchronize(
            (term(f"word{n}") for n in range(20_000)), language="en", progress=progress
        )


def test_a_gazetteer_without_a_matcher_asks_for_it() -> None:
    with pytest.raises(ComponentError, match="no matcher"):
        list(DictionaryGazetteer(DictionaryGazetteerParameters()).annotate([Document(text="x")], "en"))
