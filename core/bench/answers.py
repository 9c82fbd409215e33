"""Answers of `extractive_answerer` to the questions of XQuAD, from what the product's components find.

    nice python core/bench/answers.py [language ...] [--every N] [--sweep] [--follow-ups] [--data FOLDER]

Search: `question_search`, the engine, `feature_reranker`, `numbered_passages`. Figures in percent: recall@5 and nDCG@10
of the passages; exact match and token F1 of the answer with the best of the right answers; the bound is the F1 of an
answerer that always returns the best sentence of the right passage. `answered` is the share of questions that get an
answer from the passages of their own article, `refused` that of the same questions that get none from those of another
article; `right` is their mean. `--sweep` prints these for other thresholds: the default threshold comes from there.

`--follow-ups` measures questions that refer to the one before: of two consecutive questions about a passage, the
second without the words that it shares with the first. Figures in percent: recall@5 of the passage and the share of
answers from the right passage, of the shortened question alone, after the first one, and of the complete question.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import Any

from ranking import RankedBench, filled, reranked
from search_quality import ROOT, ndcg, xquad

from annotarium.registry import get_registry
from annotarium.search.query import parse_simple
from annotarium_engines.answers.extractive_answerer import ExtractiveAnswererParameters
from annotarium_engines.answers.question_words import content_words, words
from annotarium_engines.tokens import starts_with_unspaced_script, tokenize
from annotarium_plugins.base.follow_up import Turn
from annotarium_plugins.base.rag_context_builder import Passage

LANGUAGES = ("en", "es", "zh", "ar")
ARTICLES_BEFORE = 7
"""How far the other article is from that of the question."""
THRESHOLDS = tuple(place / 100 for place in range(20, 75, 5))


@dataclass(frozen=True)
class Question:
    """A question, the key of its passage, the number of its article, and the right answers."""

    text: str
    key: str
    article: int
    answers: list[str]


def load(data: Path, language: str) -> tuple[list[Question], list[list[Passage]]]:
    """Return the questions of a language, and the passages of each article."""
    content = json.loads((data / "xquad" / f"xquad.{language}.json").read_text(encoding="utf-8"))
    questions: list[Question] = []
    articles: list[list[Passage]] = []
    number = 0
    for article in content["data"]:
        articles.append([])
        for paragraph in article["paragraphs"]:
            text, key = paragraph["context"], str(number)
            articles[-1].append(Passage(key, key, "", text, 0, len(text), 1.0))
            number += 1
            for one in paragraph["qas"]:
                answers = [answer["text"] for answer in one["answers"]]
                questions.append(Question(one["question"], key, len(articles) - 1, answers))
    return questions, articles


def bag(text: str) -> list[str]:
    """Return the words that count, as the evaluation of SQuAD does."""
    found = [token.text.casefold() for token in tokenize(text) if token.text[0].isalnum()]
    return [word for word in found if word not in ("a", "an", "the")]


def token_f1(text: str, answers: Sequence[str]) -> float:
    """Return the F1 of the words with the best answer."""
    given, best = bag(text), 0.0
    for answer in answers:
        wanted = bag(answer)
        common = sum((Counter(given) & Counter(wanted)).values())
        best = max(best, 2 * common / (len(given) + len(wanted)) if common else 0.0)
    return best


class Answering:
    """The components of the product by their default parameters."""

    def __init__(self, language: str) -> None:
        registry = get_registry()
        self.language = language
        self.search: Any = registry.build("searchParamsBuilder", "question_search", {})
        self.reranker: Any = registry.build("reranker", "feature_reranker", {})
        self.builder: Any = registry.build("ragContextBuilder", "numbered_passages", {})
        self.answerer: Any = registry.build("questionAnswerer", "extractive_answerer", {"threshold": 0})
        self.threshold: float = ExtractiveAnswererParameters().threshold
        self.segmenter: Any = registry.build("segmenter", "rule_sentence", {})

    def found(self, bench: RankedBench, place: int, question: str) -> list[Passage]:
        """Return the passages that the product finds, best first."""
        wanted = self.search.build(question, self.language)
        query = parse_simple(wanted.query)
        return reranked(self.reranker, question, bench.hits(place, wanted.type, wanted.size, query), self.language)

    def found_by_text(self, bench: RankedBench, question: str, turns: Sequence[Turn]) -> list[Passage]:
        """Return the passages that the product finds without vectors for a question after others, best first."""
        wanted = self.search.build_follow_up(turns, question, self.language)
        hits = bench.hits(0, "text", wanted.size, parse_simple(wanted.query))
        return reranked(self.reranker, wanted.query, hits, self.language)

    def answer(self, question: str, passages: Sequence[Passage]) -> tuple[str, float]:
        """Return the best answer and its score, however low."""
        context, taken = self.builder.build(question, passages)
        answer = self.answerer.answer(question, context, taken, self.language)
        return answer.text, answer.score

    def bound(self, question: Question, text: str) -> float:
        """Return the F1 of the best sentence of the right passage."""
        return max(
            token_f1(text[start:end], question.answers) for start, end in self.segmenter.segment(text, self.language)
        )


def measure(language: str, data: Path, every: int, sweep: bool) -> None:
    """Print the figures of a language."""
    questions, articles = load(data, language)
    texts = {passage.segment_id: passage.text for article in articles for passage in article}
    product = Answering(language)
    sums: defaultdict[str, float] = defaultdict(float)
    own: list[float] = []
    other: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        bench = filled(xquad(data, language), folder)
        for place in range(0, len(questions), every):
            one = questions[place]
            found = product.found(bench, place, one.text)
            keys = [passage.segment_id for passage in found]
            text, score = product.answer(one.text, found)
            text = text if score >= product.threshold else ""
            sums["recall"] += one.key in keys[:5]
            sums["ndcg"] += ndcg(keys, {one.key: 1.0})
            sums["exact"] += any(bag(text) == bag(answer) for answer in one.answers)
            sums["f1"] += token_f1(text, one.answers)
            sums["bound"] += product.bound(one, texts[one.key])
            own.append(_score_in(product, one.text, articles[one.article]))
            other.append(_score_in(product, one.text, articles[one.article - ARTICLES_BEFORE]))
    parts = "  ".join(
        f"{name} {100 * sums[name] / len(own):5.1f}" for name in ("recall", "ndcg", "exact", "f1", "bound")
    )
    print(f"xquad-{language}  {parts}", flush=True)
    for threshold in THRESHOLDS if sweep else (product.threshold,):
        answered, refused = (sum(score >= threshold for score in scores) / len(scores) for scores in (own, other))
        refused = 1 - refused
        print(f"  threshold {threshold:.2f}  answered {100 * answered:5.1f}  refused {100 * refused:5.1f}  "
              f"right {50 * (answered + refused):5.1f}", flush=True)  # fmt: skip


def follow_up_pairs(questions: Sequence[Question], language: str) -> list[tuple[Question, Question]]:
    """Return questions, each with the following one about the same passage without the words that both have."""
    pairs = []
    for first, second in pairwise(questions):
        if first.key != second.key:
            continue
        short = _without_shared(second.text, first.text, language)
        if short != second.text and content_words(short, language):
            pairs.append((first, replace(second, text=short)))
    return pairs


def _without_shared(text: str, first: str, language: str) -> str:
    if any(starts_with_unspaced_script(char) for char in text):
        match = SequenceMatcher(None, text, first, autojunk=False).find_longest_match()
        return text[: match.a] + text[match.a + match.size :] if match.size > 1 else text
    shared = set(content_words(first, language)) & set(content_words(text, language))
    tokens = [token.text for token in tokenize(text)]
    kept = [token for token in tokens if shared.isdisjoint(words(token, language))]
    return " ".join(kept) if len(kept) < len(tokens) else text


def measure_follow_ups(language: str, data: Path, every: int) -> None:
    """Print the figures of follow-up questions of a language, searched by text."""
    questions, _ = load(data, language)
    product = Answering(language)
    complete = {(one.key, one.answers[0]): one.text for one in questions}
    pairs = follow_up_pairs(questions, language)[::every]
    sums: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        bench = filled(xquad(data, language), folder)
        for first, short in pairs:
            turns = [Turn(first.text, first.answers[0])]
            full = complete[short.key, short.answers[0]]
            ways = (("alone", short.text, []), ("after", short.text, turns), ("complete", full, []))
            for name, text, given in ways:
                found = product.found_by_text(bench, text, given)
                _, taken = product.builder.build(text, found)
                answered = [*product.answerer.stream_follow_up(given, text, "", taken, language)][-1]
                keys = [passage.segment_id for passage in found]
                sums[f"{name} recall"] += short.key in keys[:5]
                cited = [taken[one.passage - 1].segment_id for one in answered.citations]
                sums[f"{name} passage"] += short.key in cited
    figures = "  ".join(f"{name} {100 * value / len(pairs):5.1f}" for name, value in sums.items())
    print(f"xquad-{language}  {len(pairs)} pairs  {figures}", flush=True)


def _score_in(product: Answering, question: str, article: Sequence[Passage]) -> float:
    return product.answer(question, reranked(product.reranker, question, article, product.language))[1]


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", nargs="*", default=LANGUAGES)
    parser.add_argument("--every", type=int, default=1, help="Only one of so many questions.")
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--follow-ups", action="store_true")
    parser.add_argument("--data", type=Path, default=os.environ.get("ANNOTARIUM_CORPORA") or ROOT / "../shared/data")
    given = parser.parse_args()
    for language in given.language:
        if given.follow_ups:
            measure_follow_ups(language, Path(given.data), given.every)
        else:
            measure(language, Path(given.data), given.every, given.sweep)


if __name__ == "__main__":
    main()
