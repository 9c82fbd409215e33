"""Sequence labelling with a conditional random field: fast to train, small models, any language."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from annotarium_engines.gazetteers.dictionary_gazetteer import TermMatch
from annotarium_engines.learners.bio_tags import OUTSIDE, encode, split_sequence
from annotarium_engines.learners.crf_features import CasingCounts, Features, features, learn_casing
from annotarium_engines.learners.dictionary_features import DictionaryFeatures, add_dictionary_features
from annotarium_engines.learners.tag_probabilities import TagProbabilities, with_predicted_spans, with_ranked_spans
from annotarium_engines.model_files import (
    library_versions,
    no_examples_error,
    not_trained_error,
    read_model,
    write_model,
)
from annotarium_engines.tokens import Token, tokenize
from annotarium_plugins.base.component import ComponentError, Nature, Progress, no_progress
from annotarium_plugins.base.gazetteer import Gazetteer
from annotarium_plugins.base.learner import GazetteerLearner
from annotarium_plugins.parameters import AppliesWhen, Parameters, advanced_number, hint
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import message

_COMPONENT = "crf"
_MODEL, _CASING = "model.crf", "casing.json"
_LBFGS: AppliesWhen = {"algorithm": ["lbfgs"]}


class CrfLearnerParameters(Parameters):
    """Settings of the CRF learner; the defaults hold on news, biomedical text and social media."""

    algorithm: Literal["lbfgs", "pa", "ap"] = Field(
        "lbfgs",
        title="Algorithm",
        description="L-BFGS gives the best confidence scores; the others are faster.",
    )
    iterations: int = Field(
        50, ge=1, le=500, title="Iterations", description="Maximum number of passes over the training data."
    )
    c1: float = advanced_number(
        0.1,
        0,
        100,
        title="L1 penalty (c1)",
        description="Higher values give a smaller model. L-BFGS only.",
        applies_when=_LBFGS,
    )
    c2: float = advanced_number(
        0.01,
        0,
        100,
        title="L2 penalty (c2)",
        description="Higher values rely less on single features. L-BFGS only.",
        applies_when=_LBFGS,
    )
    dictionaries: bool = Field(
        False,
        title="Dictionary features",
        description="Use what the gazetteers of the project find in the texts. Synchronise them first.",
    )
    window: int = advanced_number(2, 0, 3, title="Context", description="Number of tokens considered on each side.")
    affixes: int = advanced_number(4, 0, 6, title="Affixes", description="Maximum length of prefixes and suffixes.")
    outside_weight: float = Field(
        1.0,
        ge=0.01,
        le=1,
        title="Weight of 'no entity'",
        description="Below 1, the model annotates more: higher recall, but more errors. 0.3 helps on short texts.",
        json_schema_extra=hint(widget="slider", advanced=True),
    )


@dataclass
class _TrainedModel:
    model: bytes
    tagger: Any
    tags: list[str]
    casing: CasingCounts
    labels: list[str]
    language: str
    dictionaries: DictionaryFeatures = field(default_factory=DictionaryFeatures)


class _TaggedText(NamedTuple):
    """A text to learn from."""

    tokens: list[Token]
    tags: list[str]
    matches: list[TermMatch]


class CrfLearner(GazetteerLearner[CrfLearnerParameters]):
    """Linear-chain conditional random field over word shapes, affixes, context and casing.

    Spans do not overlap: of overlapping annotations the longest is learned. The score of a predicted span is the
    smallest marginal probability of its tokens' tags (with the algorithms `pa` and `ap` it is not calibrated).
    """

    title: ClassVar[str] = "Conditional random field"
    description: ClassVar[str] = (
        "Learns to annotate spans from word forms and context. Fast and small; for all languages."
    )
    parameters_model: ClassVar[type[Parameters]] = CrfLearnerParameters
    natures: ClassVar[tuple[Nature, ...]] = ("sequence_labelling",)
    version: ClassVar[str] = "1"

    def __init__(self, parameters: CrfLearnerParameters) -> None:
        super().__init__(parameters)
        self._trained: _TrainedModel | None = None
        self._dictionaries = DictionaryFeatures()

    @property
    def wants_gazetteers(self) -> bool:
        """Whether dictionary features are switched on."""
        return self.parameters.dictionaries

    def use_gazetteers(self, gazetteers: Sequence[Gazetteer[Any]]) -> None:
        """Use gazetteers in the next `fit`; see `GazetteerLearner.use_gazetteers`."""
        self._dictionaries = DictionaryFeatures.of_gazetteers(gazetteers)

    def fit(
        self, documents: Sequence[Document], *, labels: Sequence[str], language: str, progress: Progress = no_progress
    ) -> None:
        """Train from scratch; see `Learner.fit`.

        Raises:
            ComponentError: no confirmed annotation has one of the labels, or there is no gazetteer for the dictionary
                features.
        """
        from annotarium_engines.learners.crf_training import open_tagger, train_crf

        parameters = self.parameters
        progress(0, parameters.iterations, message("doing.readTraining", "Loading the training data"))
        dictionaries = self._dictionaries_to_use()
        tagged = self._tag_texts(documents, frozenset(labels), dictionaries)
        learned = sorted({tag[2:] for one in tagged for tag in one.tags if tag != OUTSIDE})
        if not learned:
            raise no_examples_error("annotation")
        casing = learn_casing(one.tokens for one in tagged)
        model = train_crf(
            self._sequences(tagged, casing, progress),
            algorithm=parameters.algorithm,
            settings={"c1": parameters.c1, "c2": parameters.c2} if parameters.algorithm == "lbfgs" else {},
            iterations=parameters.iterations,
            progress=progress,
        )
        tagger = open_tagger(model)
        self._trained = _TrainedModel(model, tagger, tagger.labels(), casing, learned, language, dictionaries)

    def _dictionaries_to_use(self) -> DictionaryFeatures:
        if not self.parameters.dictionaries:
            return DictionaryFeatures()
        if not self._dictionaries:
            raise ComponentError(
                "There is no dictionary to use.",
                cause="The project has no synchronised gazetteer.",
                fix="Synchronise a gazetteer, or switch off the dictionary features.",
            )
        return self._dictionaries

    def _tag_texts(
        self, documents: Sequence[Document], labels: frozenset[str], dictionaries: DictionaryFeatures
    ) -> list[_TaggedText]:
        """Return the texts that have tokens, sorted, with their tags and what the gazetteers find in them."""
        ordered = sorted(documents, key=lambda one: (one.identifier, one.text))
        matches = dictionaries.matches([one.text for one in ordered])
        tokenized = [(tokenize(one.text), one, found) for one, found in zip(ordered, matches, strict=True)]
        return [
            _TaggedText(tokens, encode(tokens, one.annotations, labels), found)
            for tokens, one, found in tokenized
            if tokens
        ]

    def _sequences(
        self, tagged: Sequence[_TaggedText], casing: CasingCounts, progress: Progress
    ) -> Iterator[tuple[list[Features], list[str]]]:
        for number, (tokens, tags, matches) in enumerate(tagged):
            if number % 200 == 0:
                progress(0, self.parameters.iterations, message("doing.readTraining", "Loading the training data"))
            rows = self._features(tokens, casing, matches, counted=True)
            for first, past in split_sequence(tokens, may_cut=lambda at, tags=tags: not tags[at].startswith("I-")):  # type: ignore[misc]
                yield rows[first:past], tags[first:past]

    def _features(
        self, tokens: Sequence[Token], casing: CasingCounts, matches: Sequence[TermMatch], *, counted: bool
    ) -> list[Features]:
        parameters = self.parameters
        rows = features(tokens, casing, affixes=parameters.affixes, window=parameters.window, counted=counted)
        add_dictionary_features(rows, tokens, matches)
        return rows

    def predict(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield copies with the predicted spans, which never overlap; see `Learner.predict`."""
        for document in documents:
            yield with_predicted_spans(document, self._scored(document.text), self.parameters.outside_weight)

    def rank(self, documents: Iterable[Document], language: str, *, limit: int = 5) -> Iterator[Document]:
        """Yield copies with up to `limit` labels, best first, for each span that is or may be an entity; see
        `with_ranked_spans`.
        """
        for document in documents:
            scored = self._scored(document.text)
            yield with_ranked_spans(document, scored, self.parameters.outside_weight, limit=limit)

    def _scored(self, text: str) -> Iterator[tuple[list[Token], TagProbabilities]]:
        trained = self._trained
        if trained is None:
            raise not_trained_error()
        tokens = tokenize(text)
        (matches,) = trained.dictionaries.matches([text])
        rows = self._features(tokens, trained.casing, matches, counted=False)
        for first, past in split_sequence(tokens):
            trained.tagger.set(rows[first:past])
            yield tokens[first:past], _crf_probabilities(trained, past - first)

    def save(self, folder: Path) -> None:
        """Write `model.crf` (crfsuite), `casing.json`, `manifest.json` and a folder for each gazetteer."""
        trained = self._trained
        if trained is None:
            raise not_trained_error()
        casing = {"lower": dict(trained.casing.lower), "upper": dict(trained.casing.upper)}
        facts = {
            "component": _COMPONENT,
            "version": self.version,
            "parameters": self.parameters.model_dump(),
            "labels": trained.labels,
            "language": trained.language,
            "libraries": library_versions("python-crfsuite"),
            "gazetteers": trained.dictionaries.save(folder),
        }
        files = {_MODEL: trained.model, _CASING: json.dumps(casing, ensure_ascii=False).encode()}
        write_model(folder, files, facts)

    def load(self, folder: Path) -> None:
        """Read what `save` wrote. Features are computed with the parameters of the training, not with the
        current ones.
        """
        from annotarium_engines.learners.crf_file_check import check_crf_file
        from annotarium_engines.learners.crf_training import open_tagger

        manifest, (model, casing) = read_model(
            folder, component=_COMPONENT, version=self.version, names=(_MODEL, _CASING)
        )
        try:
            trained_with = CrfLearnerParameters.model_validate(manifest["parameters"])
            counts = json.loads(casing)
            learned = CasingCounts(Counter(counts["lower"]), Counter(counts["upper"]))
            labels, language = [str(label) for label in manifest["labels"]], str(manifest["language"])
            dictionaries = DictionaryFeatures.load(folder, manifest.get("gazetteers", []))
            check_crf_file(model)
            tagger = open_tagger(model)
        except (ValueError, KeyError, TypeError) as error:
            raise ComponentError("The model cannot be read.", cause=str(error), fix="Train it again.") from error
        self.parameters = self.parameters.model_copy(
            update={name: getattr(trained_with, name) for name in ("window", "affixes", "dictionaries")}
        )
        self._trained = _TrainedModel(model, tagger, tagger.labels(), learned, labels, language, dictionaries)


def _crf_probabilities(trained: _TrainedModel, length: int) -> TagProbabilities:
    """Return the marginal probabilities of the sequence that was passed to the tagger last."""
    tagger, tags = trained.tagger, frozenset(trained.tags)
    # must run before the first marginal: crfsuite's search for the best tags overwrites the state that marginals are
    # computed from
    best: list[str] = tagger.tag()

    def marginal(tag: str, index: int) -> float:
        return float(tagger.marginal(tag, index)) if tag in tags else 0.0

    return TagProbabilities(trained.labels, best, marginal)
