"""Topics by k-means: other scripts, unusual corpora, seeds, words, real news and questions."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium_engines.topics.sklearn_topics import SklearnTopics
from annotarium_engines.topics.stop_words import stop_word_languages, stop_words
from annotarium_engines.topics.topic_parameters import TopicParameters
from annotarium_engines.topics.topic_terms import topic_names_and_titles
from annotarium_engines.topics.vocabulary import Vocabulary, WordTokenizer, ngram_terms
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.testing.samples import classification_documents
from annotarium_schemas.documents import Document


def documents(texts: Sequence[str]) -> list[Document]:
    return [Document(identifier=f"d{number}", text=text) for number, text in enumerate(texts)]


def fitted(texts: Sequence[str], language: str = "en", **parameters: Any) -> SklearnTopics:
    learner = SklearnTopics(TopicParameters.model_validate(parameters))
    learner.fit(documents(texts), language=language)
    return learner


def assigned(learner: SklearnTopics, texts: Sequence[str]) -> list[str]:
    predicted = learner.predict(documents(texts), "en")
    return [one.categories[0].label_name or "" if one.categories else "" for one in predicted]


SAMPLES = [document.text for document in classification_documents()]


def test_the_defaults_are_those_of_the_shortcut() -> None:
    """C-073 (except the engine's name)."""
    defaults = TopicParameters().model_dump()
    wanted = {
        "tokenizer": "spacy",
        "stopwords": True,
        "lemma": True,
        "ngram_range": [1, 3],
        "nr_topics": 20,
        "scope": "all",
        "source_collection": "documents",
    }
    assert {name: defaults[name] for name in wanted} == wanted
    for wrong in ({"ngram_range": [3, 1]}, {"ngram_range": [1]}, {"ngram_range": [0, 1]}, {"nr_topics": 1}):
        with pytest.raises(ValueError):
            TopicParameters.model_validate(wrong)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**31 - 1), order=st.permutations(range(len(SAMPLES))), topics=st.integers(2, 9))
def test_a_seed_gives_the_same_topics_in_any_order(seed: int, order: list[int], topics: int) -> None:
    first = fitted(SAMPLES, seed=seed, nr_topics=topics)
    second = fitted([SAMPLES[at] for at in order], seed=seed, nr_topics=topics)
    assert first.topics() == second.topics()
    assert assigned(first, SAMPLES) == assigned(second, SAMPLES)
    assert len(first.topics().topics) <= topics


def test_a_large_corpus_is_clustered_by_a_sample() -> None:
    """All texts are counted, including those that were not in the sample."""
    texts = [f"{text} {number}" for number in range(5) for text in SAMPLES]
    learner = fitted(texts, maximum_texts=100, nr_topics=3)
    assert learner.topics().pieces == len(texts) == 180
    found = Counter(assigned(learner, texts))
    assert {topic.name: topic.size for topic in learner.topics().topics} == {k: v for k, v in found.items() if k}


def test_two_equal_texts_form_one_topic() -> None:
    topics = fitted(["The bank raised its rates.", "The bank raised its rates."]).topics()
    assert [topic.size for topic in topics.topics] == [2]
    assert topics.topics[0].title == "bank, rates"


def test_texts_without_words_are_outliers() -> None:
    learner = fitted([*SAMPLES, "", "...", "1234 5678", "xylophone"])
    assert learner.topics().outliers >= 3
    assert assigned(learner, ["", "unseen wordless", "the and of"]) == ["", "", ""]


def test_texts_of_stop_words_only_are_refused() -> None:
    with pytest.raises(ComponentError) as caught:
        fitted(["the and of"] * 10)
    assert "0 of them" in caught.value.cause


MATTERS = {
    "zh": (["股票市场上涨了", "银行提高利率", "股票和银行利率"], ["球队赢得比赛", "足球比赛开始", "球队足球比赛"]),
    "ar": (
        ["رفع البنك أسعار الفائدة", "البنك والأسهم", "أسعار البنك"],
        ["فاز الفريق", "الفريق والمباراة", "مباراة الفريق"],
    ),
    "ru": (
        ["банк повысил ставки", "ставки банка растут", "банк и ставки"],
        ["команда выиграла матч", "матч команды", "команды и матчи"],
    ),
    "xx": (["pinki taku", "taku pinki", "pinki pinki taku"], ["balo miru", "miru balo", "balo balo miru"]),
}


@pytest.mark.parametrize(("language", "matters"), MATTERS.items())
def test_topics_of_texts_in_other_scripts(language: str, matters: tuple[list[str], list[str]]) -> None:
    """Words of other scripts separate topics; where no spaces separate words, pairs of characters do."""
    texts = [*matters[0], *matters[1]]
    learner = fitted(texts, language, nr_topics=2, minimum_likeness=0)
    found = assigned(learner, texts)
    assert len(set(found[:3])) == 1 and len(set(found[3:])) == 1 and found[0] != found[3], found
    assert all(word.strip() for topic in learner.topics().topics for word, _ in topic.words)


def words(text: str, language: str = "en", ngrams: tuple[int, int] = (1, 2), **more: Any) -> list[str]:
    cut = WordTokenizer(language, **({"tokenizer": "simple", "stopwords": True, "lemma": False} | more))
    return list(ngram_terms(cut.runs(text), ngrams))


def test_phrases_contain_adjacent_words_only() -> None:
    """No phrase contains punctuation, a number or a stop word."""
    assert words("New York, not York new") == ["new", "new york", "york", "york", "york new", "new"]
    assert words("bank 24 rates") == ["bank", "rates"]
    assert words("I can't don’t ask") == ["ask"], "contractions are stop words, with either apostrophe"
    assert words("股票市场", "zh") == ["股票", "票市", "市场"]
    assert words("股票", "zh", (1, 1)) == ["股", "票"]


def test_word_forms_are_merged_under_the_most_frequent_one() -> None:
    texts = ["bank rates", "banks rated", "banks rating"]
    cut = WordTokenizer("en", tokenizer="simple", stopwords=True, lemma=True)
    assert Vocabulary.learn(texts, cut, (1, 1), 100).shown == ["banks", "rated"]
    assert cut.used == {"tokenizer": "simple", "lemma": "stems", "stopwords": len(stop_words("en"))}
    assert WordTokenizer("zh", tokenizer="simple", stopwords=True, lemma=True).used["lemma"] == "none", (
        "it says what it cannot"
    )


def test_stop_words_are_normalised_words() -> None:
    """Each language has its own list, case-folded like texts."""
    for language in stop_word_languages():
        found = stop_words(language)
        assert len(found) > 50
        assert all(word == word.casefold() and " " not in word for word in found)
    assert "the" in stop_words("en") and "the" not in stop_words("fr")
    assert stop_words("xx") == frozenset()


def test_topics_of_the_same_terms_get_distinct_names() -> None:
    assert topic_names_and_titles([["bank"], ["bank"], [""]]) == [
        ("topic_bank", "bank"),
        ("topic_bank_2", "bank (2)"),
        ("topic", ""),
    ]


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    fitted(SAMPLES).save(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["files"] = {name: digest[::-1] for name, digest in manifest["files"].items()}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ComponentError, match="cannot be read"):
        SklearnTopics(TopicParameters()).load(tmp_path)


def test_topics_of_real_news_agree_with_their_classes(data: Path) -> None:
    """In 1,500 news of four classes, topics agree with the classes far better than chance."""
    from sklearn.metrics import normalized_mutual_info_score

    with (data / "agnews" / "test.csv").open(encoding="utf-8", newline="") as file:
        rows = [(f"{row[1]}. {row[2]}", row[0]) for row in csv.reader(file)][:1500]
    learner = fitted([text for text, _ in rows])
    found = assigned(learner, [text for text, _ in rows])
    assert normalized_mutual_info_score([label for _, label in rows], found) > 0.2
    assert len(learner.topics().topics) == 20
    assert learner.topics().outliers < 300
