"""Rule-based sentences in every language of C-056."""

import json
import time

import pytest

from annotarium_plugins.builtin.segmenters.rule_sentence import RuleSentenceSegmenter, RuleSentenceSegmenterParameters


def sentences(text, language="en", **parameters):
    segmenter = RuleSentenceSegmenter(RuleSentenceSegmenterParameters(**parameters))
    return [text[start:end] for start, end in segmenter.segment(text, language)]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["Dr. Smith paid $3.14 to J. R. Tolkien, e.g. in the U.S. Army.", "He left the U.S.", "The end came."]),
        ("en", ['"Why?" he asked.', '"Yes."', "She went...", "Then left!", "Is it 5 p.m.?", "Yes."]),
        ("en", ["(See Eq. 3. It shows.)", "See Fig. 2 (cf. Sect. 4. It is short.) for more.", "Done."]),
        ("en", ["It was cited.[12]", "Then not.", "See p. 3 [ed. Smith. London.] of it.", "End."]),
        ("fr", ["M. Dupont dit : «\u202fBonjour\u202f!\u202f»", "Puis il partit.", "Cf. p. 3 et art. 4.", "Fin."]),
        (
            "de",
            ["Das ist z.B. der Fall.", "Am 3. Mai 1999 kam Hr. Müller.", "„Gut.“", "Er ging usw.", "Dann war es aus."],
        ),
        ("es", ["El Sr. García vive en la Avda. Libertad.", "¿Quién es?", "¡Nadie!"]),
        ("it", ["Il dott. Rossi è arrivato.", "Ha detto: «Va bene.»", "È partito."]),
        ("pt", ["O Sr. Silva mora na av. Paulista.", "É longe?", "Não."]),
        ("nl", ["Dhr. Jansen woont bijv. in Utrecht.", "Hij werkt niet."]),
        ("ru", ["Г. Иванов родился в 1900 г. в Москве.", "Он жил на ул. Ленина.", "Конец."]),
        ("ar", ["ذهب إلى البيت.", "هل جاء؟", "نعم."]),
        ("fa", ["او رفت.", "آیا آمد؟", "بله."]),
        ("ur", ["وہ گیا۔", "میں آیا۔"]),
        ("hi", ["वह गया।", "मैं आया।", "क्या हुआ?"]),
        ("xx", ["One. is not split before a small letter, Dr. Who.", "但是。", "Fin."]),
    ],
)
def test_sentences_of_languages_with_spaces(language, expected):
    assert sentences(" ".join(expected), language) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("zh", ["他说：“你好。我走了。”", "然后走了。", "“好。”他说。", "今天天气很好！", "是吗？", "是。"]),
        ("ja", ["彼は「そうです。はい。」と言った。", "帰った！", "本当？", "はい。"]),
    ],
)
def test_sentences_of_languages_without_spaces(language, expected):
    assert sentences("".join(expected), language) == expected


def test_line_breaks_end_sentences_as_configured():
    text = "A title\n\nFirst line\nsecond line. Third.\n1. One thing\n2. Another"
    assert sentences(text) == ["A title", "First line\nsecond line.", "Third.", "1. One thing", "2. Another"]
    assert sentences("one\ntwo\r\nthree", newlines="always") == ["one", "two", "three"]
    assert sentences("one\n\ntwo", newlines="never") == ["one\n\ntwo"]


def test_sentences_of_lower_case_and_tokenised_text():
    assert sentences("first thing. second thing. third") == ["first thing.", "second thing.", "third"]
    assert sentences("The flow was slow . it was seen .") == ["The flow was slow .", "it was seen ."]


def test_unclosed_bracket_does_not_swallow_the_text():
    text = "He came (late. " + "This goes on. " * 60
    assert len(sentences(text)) > 25


def test_too_long_sentences_are_split_at_white_space():
    pieces = sentences("word " * 100, max_length=50)
    assert all(len(piece) <= 50 for piece in pieces)
    assert " ".join(pieces).split() == ["word"] * 100


def test_punctuation_alone_is_not_a_segment():
    assert sentences('He said so. ... " Then he left.') == ["He said so. ...", '" Then he left.']


def test_fifteen_hundred_documents_take_less_than_two_seconds():
    text = ("The quick brown fox e.g. jumps over Dr. Smith in 3.5 seconds. It was (really. very) good! " * 11)[:1000]
    segmenter = RuleSentenceSegmenter(RuleSentenceSegmenterParameters())
    start = time.process_time()
    for _ in range(1500):
        segmenter.segment(text, "en")
    assert time.process_time() - start < 2.0


@pytest.mark.parametrize("language", ["en", "de", "es", "ru", "ar", "hi", "zh"])
def test_sentence_boundaries_rarely_split_real_answers(language, real_data):
    """Of 1,190 marked answers per language, fewer than 1 in 100 cross a sentence boundary."""
    path = real_data / "xquad" / f"xquad.{language}.json"
    segmenter = RuleSentenceSegmenter(RuleSentenceSegmenterParameters())
    cut = total = length = count = 0
    for article in json.loads(path.read_text())["data"]:
        for paragraph in article["paragraphs"]:
            ranges = segmenter.segment(paragraph["context"], language)
            length, count = length + len(paragraph["context"]), count + len(ranges)
            for question in paragraph["qas"]:
                start = question["answers"][0]["answer_start"]
                end = start + len(question["answers"][0]["text"])
                total += 1
                cut += not any(left <= start and end <= right for left, right in ranges)
    assert total == 1190
    assert cut <= 11, f"{cut} answers cross a boundary"
    assert length / count < 200, "hardly anything was cut"
