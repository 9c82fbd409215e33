"""A learner in pure Python: counts which words occur with which category."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pydantic import Field

from annotarium_plugins.base.component import ComponentError, Progress, no_progress
from annotarium_plugins.base.learner import Learner
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Category, Document

WORD = re.compile(r"\w+")


class KeywordLearnerParameters(Parameters):
    """Parameters of `acme_keyword`."""

    min_length: int = Field(3, ge=1, le=20, title="Shortest word", description="Shorter words are not counted.")
    threshold: float = Field(0.5, ge=0, le=1, title="Lowest score", description="Below it nothing is predicted.")


class KeywordLearner(Learner[KeywordLearnerParameters]):
    """Naive Bayes over the words of a segment, with add-one smoothing."""

    title = "Keywords"
    description = "Learns which words go with which category. Trains in an instant."
    parameters_model = KeywordLearnerParameters
    natures = ("classification",)

    def __init__(self, parameters: KeywordLearnerParameters) -> None:
        super().__init__(parameters)
        self._words: dict[str, Counter[str]] = {}
        self._documents: Counter[str] = Counter()

    def fit(
        self, documents: Sequence[Document], *, labels: Sequence[str], language: str, progress: Progress = no_progress
    ) -> None:
        """Count words of documents per confirmed category. A rejected category is ignored."""
        self._words = {label: Counter() for label in sorted(labels)}
        self._documents = Counter()
        for number, document in enumerate(documents):
            progress(number, len(documents), "Counting words")
            for category in document.categories:
                if category.label_name in self._words and category.status != "KO":
                    self._words[category.label_name].update(self._tokens(document.text))
                    self._documents[category.label_name] += 1

    def predict(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield the best category of each document if it reaches the threshold."""
        for document in self.rank(documents, language, limit=1):
            kept = [category for category in document.categories if (category.score or 0) >= self.parameters.threshold]
            yield document.model_copy(update={"categories": kept})

    def rank(self, documents: Iterable[Document], language: str, *, limit: int = 5) -> Iterator[Document]:
        """Yield the best categories of each document, best first."""
        for document in documents:
            scores = self._scores(document.text)
            best = sorted(scores, key=lambda label: (-scores[label], label))[:limit]
            found = [Category(label_name=label, score=scores[label], creation_mode="automatic") for label in best]
            yield Document(identifier=document.identifier, title=document.title, text=document.text, categories=found)

    def save(self, folder: Path) -> None:
        """Write one JSON file."""
        model = {"words": self._words, "documents": self._documents}
        (folder / "model.json").write_text(json.dumps(model, sort_keys=True), encoding="utf-8")

    def load(self, folder: Path) -> None:
        """Read the JSON file.

        Raises:
            ComponentError: the file is missing or damaged.
        """
        try:
            model = json.loads((folder / "model.json").read_text(encoding="utf-8"))
            self._words = {label: Counter(words) for label, words in model["words"].items()}
            self._documents = Counter(model["documents"])
        except (OSError, ValueError, KeyError) as error:
            raise ComponentError("The model cannot be read.", cause=str(error), fix="Train it again") from error

    def _tokens(self, text: str) -> list[str]:
        return [word for word in WORD.findall(text.lower()) if len(word) >= self.parameters.min_length]

    def _scores(self, text: str) -> dict[str, float]:
        """Return the probability of each label seen in training, 0..1."""
        seen = [label for label in self._words if self._documents[label]]
        if not seen:
            return {}
        tokens = self._tokens(text)
        vocabulary = len(set().union(*self._words.values()))
        logs = {}
        for label in seen:
            total = self._words[label].total() + vocabulary + 1
            logs[label] = math.log(self._documents[label])
            logs[label] += sum(math.log((self._words[label][word] + 1) / total) for word in tokens)
        highest = max(logs.values())
        weights = {label: math.exp(value - highest) for label, value in logs.items()}
        return {label: min(1.0, weight / sum(weights.values())) for label, weight in weights.items()}
