"""Text classification with linear models on words and characters: trains in seconds and is accurate with few
examples.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from annotarium_engines.learners.category_marks import confirmed_and_rejected_labels, label_matrix, with_categories
from annotarium_engines.model_files import (
    library_versions,
    no_examples_error,
    not_trained_error,
    pack_arrays,
    read_arrays,
    read_model,
    write_model,
)
from annotarium_plugins.base.component import ComponentError, Nature, Progress, no_progress
from annotarium_plugins.base.learner import Learner
from annotarium_plugins.parameters import Parameters, advanced_number, hint
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    from annotarium_engines.learners.linear_model import Algorithm, LinearModel, Marks
    from annotarium_engines.learners.tfidf import Tfidf

_COMPONENT = "sklearn_text_classifier"
_VOCABULARY, _WEIGHTS = "vocabulary.json", "weights.npz"
_BATCH = 512
_NUMBERS = 40_000_000
"""Maximum number of weights of a model (4 bytes each): many labels leave fewer columns."""
_SMALL = 1000
"""Below this number of documents rare terms are kept, because there are few terms overall."""
_HELD_BACK, _TUNING = 10, 5000
"""One document in ten is held back for tuning; the model that tunes exclusive labels is trained on at most this many
documents.
"""


class SklearnTextClassifierParameters(Parameters):
    """Settings of the text classifier."""

    algorithm: Literal["linear_svc", "logistic_regression", "sgd"] = Field(
        "linear_svc",
        title="Algorithm",
        description="Support vectors are best for most corpora; stochastic gradient descent (SGD) is for large ones.",
    )
    multi_label: Literal["auto", "yes", "no"] = Field(
        "auto",
        title="Several categories per document",
        description="Automatic: yes if a training document has more than one.",
    )
    cost: float = Field(
        1.0,
        gt=0,
        le=1000,
        title="Cost of errors (C)",
        description="Higher values follow the examples more closely.",
        json_schema_extra=hint(advanced=True),
    )
    characters: bool = Field(
        True,
        title="Character n-grams",
        description="Looks inside words: helps with inflection, typing errors and scripts without spaces.",
        json_schema_extra=hint(advanced=True),
    )
    minimum_count: int = advanced_number(
        2,
        1,
        1000,
        title="Minimum documents per term",
        description="Rarer terms are ignored. With fewer than 1,000 documents, 1 is used.",
    )
    maximum_terms: int = advanced_number(300_000, 100, 2_000_000, title="Maximum terms")


class SklearnTextClassifier(Learner[SklearnTextClassifierParameters]):
    """TF-IDF of words (1-2) and characters (2-5), one linear model per label.

    Exclusive: the label with the greatest score is assigned, and scores add up to 1. Multiple labels: a label is
    assigned from its own threshold on (score 0.5), tuned on a held-back tenth; a label with fewer than 10 examples
    there uses the common threshold. A rejected category (KO) is a counter-example for its label only.
    """

    title: ClassVar[str] = "Linear text classifier"
    description: ClassVar[str] = "Learns to categorise texts from their words and characters. Fast; for all languages."
    parameters_model: ClassVar[type[Parameters]] = SklearnTextClassifierParameters
    natures: ClassVar[tuple[Nature, ...]] = ("classification",)
    version: ClassVar[str] = "1"

    def __init__(self, parameters: SklearnTextClassifierParameters) -> None:
        super().__init__(parameters)
        self._tfidf: Tfidf | None = None
        self._model: LinearModel | None = None
        self._language = ""

    def fit(
        self, documents: Sequence[Document], *, labels: Sequence[str], language: str, progress: Progress = no_progress
    ) -> None:
        """Train from scratch; see `Learner.fit`.

        Raises:
            ComponentError: no confirmed category has one of the labels.
        """
        from annotarium_engines.learners.linear_model import train_linear
        from annotarium_engines.learners.tfidf import CHARACTERS, WORDS, Tfidf

        ordered = sorted(documents, key=lambda one: (one.identifier, one.text))
        judged = [(one.text, *confirmed_and_rejected_labels(one, frozenset(labels))) for one in ordered]
        judged = [one for one in judged if one[1] or one[2]]
        learned = sorted(set().union(*(right for _, right, _ in judged)))
        if not learned:
            raise no_examples_error("category")
        exclusive = self._exclusive([right for _, right, _ in judged])
        marks = label_matrix(judged, learned)
        texts = [text for text, _, _ in judged]
        steps = 2 * len(learned)
        progress(0, steps, message("doing.readTraining", "Loading the training data"))
        width = min(self.parameters.maximum_terms, max(20_000, _NUMBERS // len(learned)))
        minimum = self.parameters.minimum_count if len(texts) >= _SMALL else 1
        kinds = [WORDS, CHARACTERS] if self.parameters.characters else [WORDS]
        tfidf = Tfidf.learn(texts, kinds, min_count=minimum, width=width)
        if not tfidf.width:
            raise ComponentError("There is nothing to learn from: the training documents hold no words.")
        rows = tfidf.transform(texts)
        algorithm: Algorithm = self.parameters.algorithm
        sharpness, thresholds = self._tune(rows, marks, learned, exclusive, progress)
        model = train_linear(
            rows,
            marks,
            learned,
            exclusive=exclusive,
            algorithm=algorithm,
            cost=self.parameters.cost,
            progress=progress,
            steps=(len(learned), steps),
        )
        if sharpness is not None:
            model.sharpness, model.thresholds = sharpness, thresholds
        progress(steps, steps, message("doing.trained", "Trained"))
        self._tfidf, self._model, self._language = tfidf, model, language

    def _exclusive(self, right: Sequence[frozenset[str]]) -> bool:
        if self.parameters.multi_label == "auto":
            return all(len(labels) <= 1 for labels in right)
        return self.parameters.multi_label == "no"

    def _tune(
        self, rows: object, marks: Marks, labels: list[str], exclusive: bool, progress: Progress
    ) -> tuple[float | None, list[float]]:
        """Return sharpness and thresholds tuned with a model that was not trained on every tenth document; (None, [])
        when there are too few.
        """
        import numpy as np

        from annotarium_engines.learners.linear_model import (
            MINIMUM_SUPPORT,
            train_linear,
            tune_sharpness_and_thresholds,
        )

        count = len(marks)
        if count < _HELD_BACK * MINIMUM_SUPPORT:
            return None, []
        shuffled = np.random.default_rng(0).permutation(count)
        held, kept = shuffled[: count // _HELD_BACK], shuffled[count // _HELD_BACK :]
        if exclusive:
            kept = kept[:_TUNING]
        trial = train_linear(
            rows[np.sort(kept)],  # type: ignore[index]
            marks[np.sort(kept)],
            labels,
            exclusive=exclusive,
            algorithm=self.parameters.algorithm,
            cost=self.parameters.cost,
            progress=progress,
            steps=(0, 2 * len(labels)),
        )
        return tune_sharpness_and_thresholds(trial, rows[np.sort(held)], marks[np.sort(held)])  # type: ignore[index]

    def predict(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield copies with the assigned categories, best first; see `Learner.predict`."""
        for document, ranked, exclusive in self._scored(documents):
            kept = ranked[:1] if exclusive else [pair for pair in ranked if pair[1] >= 0.5]
            yield with_categories(document, kept, None)

    def rank(self, documents: Iterable[Document], language: str, *, limit: int = 5) -> Iterator[Document]:
        """Yield copies with up to `limit` categories, best first; `properties.exclusive` states whether their scores
        add up to 1.
        """
        for document, ranked, exclusive in self._scored(documents):
            yield with_categories(document, ranked[:limit], exclusive)

    def _scored(self, documents: Iterable[Document]) -> Iterator[tuple[Document, list[tuple[str, float]], bool]]:
        if self._tfidf is None or self._model is None:
            raise not_trained_error()
        model, labels = self._model, self._model.labels
        rest = iter(documents)
        while batch := list(islice(rest, _BATCH)):
            scores = model.scores(self._tfidf.transform([one.text for one in batch]))
            for document, row in zip(batch, scores, strict=True):
                order = (-row).argsort(kind="stable")
                yield document, [(labels[at], float(row[at])) for at in order], model.exclusive

    def save(self, folder: Path) -> None:
        """Write `vocabulary.json`, `weights.npz` (plain arrays) and `manifest.json`."""
        if self._tfidf is None or self._model is None:
            raise not_trained_error()
        model = self._model
        weights = {"weights": model.weights, "intercepts": model.intercepts, **self._tfidf.weights()}
        facts = {
            "component": _COMPONENT,
            "version": self.version,
            "parameters": self.parameters.model_dump(),
            "labels": model.labels,
            "exclusive": model.exclusive,
            "sharpness": model.sharpness,
            "thresholds": model.thresholds,
            "language": self._language,
            "libraries": library_versions("scikit-learn", "numpy"),
        }
        write_model(folder, {_VOCABULARY: self._tfidf.vocabulary(), _WEIGHTS: pack_arrays(weights)}, facts)

    def load(self, folder: Path) -> None:
        """Read what `save` wrote; pickled arrays are refused."""
        from annotarium_engines.learners.linear_model import LinearModel
        from annotarium_engines.learners.tfidf import Tfidf

        manifest, (vocabulary, weights) = read_model(
            folder, component=_COMPONENT, version=self.version, names=(_VOCABULARY, _WEIGHTS)
        )
        try:
            arrays = read_arrays(weights)
            labels = [str(label) for label in manifest["labels"]]
            model = LinearModel(
                labels,
                arrays["weights"],
                arrays["intercepts"],
                bool(manifest["exclusive"]),
                float(manifest["sharpness"]),
                [float(value) for value in manifest["thresholds"]],
            )
            tfidf = Tfidf.restore(vocabulary, arrays)
            if model.weights.shape != (len(labels), tfidf.width) or len(model.thresholds) != len(labels):
                raise ValueError("labels, vocabulary and weights do not fit together")
        except (ValueError, KeyError, TypeError, json.JSONDecodeError) as error:
            raise ComponentError("The model cannot be read.", cause=str(error), fix="Train it again.") from error
        self._tfidf, self._model, self._language = tfidf, model, str(manifest.get("language", ""))
