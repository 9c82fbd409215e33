"""Words and their offsets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium.search.highlight import Highlighter, Span, insert_highlight_tags
from annotarium.search.query import parse_advanced, parse_simple
from annotarium.search.text_analysis import get_analyser, is_unspaced_script

LANGUAGES = ["en", "fr", "de", "nl", "es", "it", "pt", "ru", "ar", "zh", "ja", "hi", "ur", "fa", "xx"]


@pytest.mark.parametrize(
    ("language", "query", "text"),
    [
        ("en", "runs", "RUNNING"),
        ("fr", "ecoles", "l’École"),
        ("fr", "chevaux", "chevaux"),
        ("de", "haus", "Häuser"),
        ("de", "strasse", "STRAẞE"),
        ("es", "niños", "niño"),
        ("ru", "книги", "книга"),
        ("hi", "लड़के", "लड़का"),
        ("ar", "كتاب", "الكتابُ"),
        ("fa", "کتاب", "کتاب‌ها"),
        ("zh", "北京", "我在北京大学"),
        ("ja", "東京", "東京都に行く"),
        ("xx", "istanbul", "İstanbul"),
        ("xx", "fine", "ﬁne"),
        ("xx", "abc", "ＡＢＣ"),
        ("xx", "서울", "서울에서"),
        ("xx", "naive", "NAÏVE"),
    ],
)
def test_forms_of_a_word_share_a_term(language: str, query: str, text: str) -> None:
    """C-056: every listed language is analysed."""
    cutter = get_analyser(language)
    assert set(cutter.terms(query)) <= set(cutter.tokens(text).terms)
    assert Highlighter(language, parse_simple(query)).spans(text)


@pytest.mark.parametrize(
    ("language", "query", "text"),
    [
        ("en", "boundary", "the boundaries were set"),
        ("fr", "annotation", "des annotations nombreuses"),
        ("de", "kindern", "das Kind"),
        ("nl", "huis", "de huizen"),
        ("es", "canciones", "una canción"),
        ("it", "città", "le citta antiche"),
        ("it", "ragazzo", "i ragazzi"),
        ("pt", "canções", "uma canção"),
        ("ru", "городами", "большой город"),
        ("ar", "مدرسه", "في المدرسة"),
        ("ar", "أحمد", "جاء احمد"),
        ("ar", "فى", "في البيت"),
        ("ar", "2026", "سنة ٢٠٢٦"),
        ("fa", "كتاب", "این کتاب"),
        ("fa", "ايران", "در ایران"),
        ("fa", "کتاب‌ها", "يك كتاب"),
        ("ur", "ياد", "اس کی یاد"),
        ("ur", "۱۹۴۷", "سن 1947"),
        ("hi", "लड़कियों", "एक लड़की"),
        ("hi", "बाज़ार", "बाजार में"),
        ("hi", "हिंदी", "हिँदी भाषा"),
        ("hi", "२०२६", "सन 2026"),
        ("zh", "图书", "在图书馆"),
        ("ja", "図書", "図書館で"),
        ("xx", "résumé", "his resume"),
    ],
)
def test_one_form_finds_another(language: str, query: str, text: str) -> None:
    """C-056: an inflection, a spelling or a digit of another script, for each listed language."""
    cutter = get_analyser(language)
    assert set(cutter.terms(query)) <= set(cutter.tokens(text).terms)
    assert Highlighter(language, parse_simple(query)).spans(text)


_WRITTEN = st.text(st.sampled_from("aé ßİ'-.1٢२كکیيىةهआदँंक़ड़ा 京都カ\u0301\u200c\u093c\u064b"), max_size=40)


@settings(max_examples=300, deadline=None)
@given(_WRITTEN, st.sampled_from(LANGUAGES))
def test_queries_and_texts_are_analysed_identically(text: str, language: str) -> None:
    """The terms of a query that consists of words of a text are terms of that text, in the same order."""
    cutter = get_analyser(language)
    held = [term for term in cutter.tokens(text).terms if term]
    asked = cutter.terms(text)
    remaining = iter(held)
    assert all(term in remaining for term in asked), (asked, held)
    if not any(is_unspaced_script(mark) for mark in text):
        assert asked == held


def test_xx_does_not_stem() -> None:
    assert get_analyser("xx").terms("running") == ["running"]
    assert get_analyser("unknown").terms("running") == ["running"]


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=120), st.sampled_from(LANGUAGES))
def test_offsets_refer_to_the_original_text(text: str, language: str) -> None:
    previous = 0
    for term, start, end, word in get_analyser(language).tokens(text):
        assert 0 <= start < end <= len(text)
        assert text[start:end] == word
        assert start >= previous
        assert " " not in term
        previous = start


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab é東京İß'-. \u0301\u200c"), max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_terms_of_a_range_are_those_of_the_document_there(text: str, one: int, two: int) -> None:
    start, end = min(one, two), max(one, two)
    tokens = get_analyser("en").tokens(text)
    part = tokens.part(start, end)
    assert list(part) == [entry for entry in tokens if start <= entry[1] < end]
    assert part.line().split() == [term for term, _, _, _ in part if term]


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("run", "İ Running İ run!", "İ [Running] İ [run]!"),
        ('"brown fox"', "A brown fox; brown bear", "A [brown fox]; brown bear"),
        ('"brown bear"~2', "brown old polar bear", "[brown old polar bear]"),
        ("fo* -bear", "fox bear forest", "[fox] bear [forest]"),
        ("b?a*r", "bear boar bar", "[bear] [boar] bar"),
        ("京都", "東京都に", "東[京都]に"),
        ("京", "東京都", "東[京都]"),
        ("title:fox text:bear other:x", "fox bear x", "fox [bear] x"),
        ("e-mail", "my E-mail, e mail", "my [E-mail], [e mail]"),
        ("a b", "a b", "[a] [b]"),
        ("", "nothing", "nothing"),
        ("NOT nothing", "nothing", "nothing"),
    ],
)
def test_highlight(query: str, text: str, marked: str) -> None:
    spans = Highlighter("en", parse_advanced(query)).spans(text)
    assert insert_highlight_tags(text, spans, "[", "]") == marked


def test_spans_count_code_points() -> None:
    text = "😀😀 fox"
    assert Highlighter("en", parse_simple("fox")).spans(text) == [Span(3, 6)]


FAMILY, HEART, DARK_THUMB = "👨\u200d👩\u200d👧", "❤\ufe0f", "👍🏿"
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("so😀good", ["so", "😀", "good"]),
        ("😀😀", ["😀", "😀"]),
        (f"{DARK_THUMB}{HEART}", ["👍", "❤"]),
        (f"{FAMILY}{FAMILY}", ["👨👩👧", "👨👩👧"]),
        ("🇫🇷🇪🇸🇩", ["🇫🇷", "🇪🇸", "🇩"]),
        (f"{ENGLAND}!", [ENGLAND]),
        ("🤷🏽\u200d♀\ufe0f?", ["🤷♀"]),
        ("🙂\u200d↔\ufe0f", ["🙂↔"]),
        ("a © b ™ ↔ c", ["a", "b", "c"]),
        ("©\ufe0f ↔\ufe0f", ["©", "↔"]),
        ("東京👍に", ["東京", "京", "👍", "に"]),
        ("★★☆", ["★", "★", "☆"]),
        ("🏽 \ufe0f \u200d", []),
    ],
)
def test_an_emoji_is_one_word(text: str, terms: list[str]) -> None:
    """Sequences, flags and skin tones make one sign, as they are displayed."""
    for language in ("xx", "en"):
        cutter = get_analyser(language)
        assert list(filter(None, cutter.tokens(text).terms)) == terms
        assert cutter.terms(text) == terms


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("👍", f"ok {DARK_THUMB}, 👍👎", f"ok [{DARK_THUMB}], [👍]👎"),
        (DARK_THUMB, "ok 👍", "ok [👍]"),
        ("❤", f"I {HEART} it", f"I [{HEART}] it"),
        (HEART, "I ❤ it", "I [❤] it"),
        ("👨", FAMILY, FAMILY),
        ("👨*", f"a {FAMILY} b", f"a [{FAMILY}] b"),
        ("👍*", f"a{DARK_THUMB}b", f"a[{DARK_THUMB}]b"),
        ('"well 👍"', f"well {DARK_THUMB} done", f"[well {DARK_THUMB}] done"),
        ("well👍", f"well {DARK_THUMB} done", f"[well {DARK_THUMB}] done"),
        ("🇪🇸", "🇫🇷🇪🇸", "🇫🇷[🇪🇸]"),
        ("🇷🇪", "🇫🇷🇪🇸", "🇫🇷🇪🇸"),
    ],
)
def test_emojis_are_found_as_displayed(query: str, text: str, marked: str) -> None:
    for read in (parse_simple, parse_advanced):
        spans = Highlighter("en", read(query)).spans(text)
        assert insert_highlight_tags(text, spans, "[", "]") == marked


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40), st.text(max_size=80))
def test_highlights_are_within_the_text(query: str, text: str) -> None:
    end = 0
    for span in Highlighter("en", parse_simple(query + ' a* b?c "a b"')).spans(text):
        assert end <= span.start < span.end <= len(text)
        end = span.end + 1


@pytest.mark.parametrize("language", ["ar", "de", "en", "es", "hi", "ru", "zh"])
def test_every_answer_is_highlighted_in_its_paragraph(language: str, real_data: Path) -> None:
    """Real text of seven languages: an answer searched as a phrase is highlighted at its position."""
    path = real_data / "xquad" / f"xquad.{language}.json"
    checked = 0
    for article in json.loads(path.read_text(encoding="utf-8"))["data"][:12]:
        for paragraph in article["paragraphs"]:
            text = paragraph["context"]
            tokens = get_analyser(language).tokens(text)
            edges = {start for _, start, _, _ in tokens}
            for question in paragraph["qas"]:
                answer = question["answers"][0]
                start, end = answer["answer_start"], answer["answer_start"] + len(answer["text"])
                ends = {end_ for _, _, end_, _ in tokens}
                whole = start in edges and (end in ends or not answer["text"][-1].isalnum())
                if not whole or '"' in answer["text"] or "\\" in answer["text"]:
                    continue
                spans = Highlighter(language, parse_advanced(f'"{answer["text"]}"')).spans(text)
                assert any(span.start <= start < span.end for span in spans), answer["text"]
                checked += 1
    assert checked > 100


@pytest.mark.parametrize("language", ["en", "de", "xx"])
def test_invisible_characters_do_not_split_words(language: str) -> None:
    """Texts of web pages and PDF files contain soft hyphens at possible line breaks, and byte order marks."""
    text = "\ufeffDie Silben\u00adtrennung \u00ad der Sät\u00adze"
    for query in ("Silbentrennung", "Silben\u00adtrennung", "Silbentr*", "silben*ung"):
        assert Highlighter(language, parse_simple(query)).spans(text) == [Span(5, 20)]
    assert Highlighter(language, parse_simple('"Silbentrennung der Sätze"')).spans(text) == [Span(5, 33)]
    assert get_analyser(language).terms(text) == get_analyser(language).terms("Die Silbentrennung der Sätze")
    assert (
        get_analyser(language).tokens(text).line()
        == get_analyser(language).tokens("Die Silbentrennung der Sätze").line()
    )
