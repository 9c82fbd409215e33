"""Sequence labelling by fine-tuning a pretrained encoder: understands context, needs more time than other learners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from annotarium_engines.learners.bio_tags import OUTSIDE, encode
from annotarium_engines.learners.dev_part import draw_dev_part
from annotarium_engines.learners.encoders import ENCODERS, encoder_folder, encoders, require_transformers
from annotarium_engines.learners.tag_probabilities import Scored, with_predicted_spans, with_ranked_spans
from annotarium_engines.learners.token_tagger import (
    IGNORED,
    OVERLAP,
    TagLoss,
    TokenTagger,
    dev_tag_f1,
    split_texts,
    tag_examples,
    tag_probabilities,
    token_probabilities,
)
from annotarium_engines.learners.transformer_parameters import TransformerParameters
from annotarium_engines.model_files import (
    library_versions,
    no_examples_error,
    not_trained_error,
    read_model,
    write_model,
)
from annotarium_engines.tokens import tokenize
from annotarium_plugins.base.component import ComponentError, Nature, Progress, no_progress
from annotarium_plugins.base.learner import Learner
from annotarium_plugins.parameters import Parameters, hint
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    pass

_TITLE = "Transformer for spans"
_DESCRIPTION = (
    "Learns to annotate spans by fine-tuning a pretrained language model. Understands context; much slower without a "
    "GPU."
)
require_transformers(_TITLE, _DESCRIPTION)

_COMPONENT = "transformer_token_classifier"
_FILES = ("weights.safetensors", "config.json", "tokenizer.json")
_BATCH = 64
"""Documents predicted together."""
_MOST_WEIGHT = 10.0


class TransformerTokenClassifierParameters(TransformerParameters):
    """Settings of the token classifier."""

    outside_weight: float = Field(
        1.0,
        ge=0.01,
        le=1,
        title="Weight of 'no entity'",
        description="Below 1, the model annotates more: higher recall, but more errors.",
        json_schema_extra=hint(widget="slider", advanced=True),
    )


class TransformerTokenClassifier(Learner[TransformerTokenClassifierParameters]):
    """A pretrained encoder with a tag for the first subword of each token.

    Long texts are read in overlapping windows. Spans do not overlap: of overlapping annotations the longest is learned.
    The score of a predicted span is the smallest probability of its tokens' tags. On a CPU the same input, parameters
    and seed give the same model.
    """

    title: ClassVar[str] = _TITLE
    description: ClassVar[str] = _DESCRIPTION
    parameters_model: ClassVar[type[Parameters]] = TransformerTokenClassifierParameters
    natures: ClassVar[tuple[Nature, ...]] = ("sequence_labelling",)
    version: ClassVar[str] = "1"

    def __init__(self, parameters: TransformerTokenClassifierParameters) -> None:
        super().__init__(parameters)
        self._trained: TokenTagger | None = None

    @classmethod
    def missing_setting(cls) -> str:
        """The setting with the encoders, if this server has none."""
        return "" if encoders() else ENCODERS

    @classmethod
    def import_libraries(cls) -> None:
        """Import PyTorch, which looks for compilers, and what reads its models."""
        from annotarium_engines.learners.encoder_network import import_libraries

        import_libraries()

    def fit(
        self, documents: Sequence[Document], *, labels: Sequence[str], language: str, progress: Progress = no_progress
    ) -> None:
        """Train from scratch; see `Learner.fit`.

        Raises:
            ComponentError: no confirmed annotation has one of the labels, or the encoder cannot be used.
        """
        progress(0, 1, message("doing.readTraining", "Loading the training data"))
        ordered = sorted(documents, key=lambda one: (one.identifier, one.text))
        tagged = [(one, tokenize(one.text)) for one in ordered]
        gold = [encode(tokens, one.annotations, frozenset(labels)) for one, tokens in tagged]
        learned = sorted({tag[2:] for tags in gold for tag in tags if tag != OUTSIDE})
        if not learned:
            raise no_examples_error("annotation")
        self._trained = None
        self._fit([one for one, _ in tagged], gold, learned, language, progress)

    def _fit(
        self,
        documents: list[Document],
        gold: list[list[str]],
        learned: list[str],
        language: str,
        progress: Progress,
    ) -> None:
        from annotarium_engines.learners.encoder_network import (
            choose_device,
            freeze_layers,
            pretrained_network,
            seeded,
        )
        from annotarium_engines.learners.fine_tuning import FineTuning
        from annotarium_engines.learners.subword_tokenizer import SubwordTokenizer

        parameters = self.parameters
        folder, device = encoder_folder(parameters.model), choose_device()
        tags = [OUTSIDE, *(f"{kind}-{label}" for label in learned for kind in ("B", "I"))]
        with seeded(parameters.seed, device):
            tokenizer = SubwordTokenizer.of_encoder(folder)
            network = pretrained_network(folder, len(tags), parameters.head, pooled=False, device=device)
            freeze_layers(network, parameters.frozen_layers)
            window = min(parameters.max_length, network.longest)
            trained = TokenTagger(network, tokenizer, tags, learned, language, window)
            texts = split_texts(trained, [one.text for one in documents])
            held = draw_dev_part([one.identifier for one in documents], parameters.dev_share, parameters.seed)
            kept = [at for at in range(len(texts)) if at not in held]
            windows, targets = tag_examples(trained, [texts[at] for at in kept], [gold[at] for at in kept])
            dev = [(texts[at], gold[at]) for at in sorted(held)]
            has_dev = any(tag != OUTSIDE for _, marks in dev for tag in marks)
            FineTuning(
                network,
                windows,
                TagLoss(targets, self._weights(targets, len(tags)), device),
                (lambda: dev_tag_f1(trained, dev)) if has_dev else None,
                parameters,
                progress,
            ).run()
        self._trained = trained

    def _weights(self, targets: Sequence[Sequence[int]], count: int) -> list[float] | None:
        if self.parameters.class_weights == "none":
            return None
        support = [0] * count
        for row in targets:
            for target in row:
                if target != IGNORED:
                    support[target] += 1
        total = sum(support)
        return [min(_MOST_WEIGHT, (total / (count * one)) ** 0.5) if one else 1.0 for one in support]

    def predict(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield copies with the predicted spans, which never overlap; see `Learner.predict`."""
        for document, scored in self._scored(documents):
            yield with_predicted_spans(document, scored, self.parameters.outside_weight)

    def rank(self, documents: Iterable[Document], language: str, *, limit: int = 5) -> Iterator[Document]:
        """Yield copies with up to `limit` labels, best first, for each span that is or may be an entity; see
        `with_ranked_spans`.
        """
        for document, scored in self._scored(documents):
            yield with_ranked_spans(document, scored, self.parameters.outside_weight, limit=limit)

    def _scored(self, documents: Iterable[Document]) -> Iterator[tuple[Document, Scored]]:
        trained = self._trained
        if trained is None:
            raise not_trained_error()
        rest = iter(documents)
        while batch := list(islice(rest, _BATCH)):
            texts = split_texts(trained, [one.text for one in batch])
            for document, text, rows in zip(batch, texts, token_probabilities(trained, texts), strict=True):
                yield document, [(text.tokens, tag_probabilities(trained, rows))]

    def save(self, folder: Path) -> None:
        """Write `weights.safetensors`, `config.json`, `tokenizer.json` and `manifest.json`."""
        from annotarium_engines.learners.encoder_network import network_files

        trained = self._trained
        if trained is None:
            raise not_trained_error()
        facts = {
            "component": _COMPONENT,
            "version": self.version,
            "parameters": self.parameters.model_dump(),
            "labels": trained.labels,
            "language": trained.language,
            "window": trained.window,
            "libraries": library_versions("torch", "transformers", "tokenizers", "safetensors"),
        }
        write_model(folder, {**network_files(trained.network), "tokenizer.json": trained.tokenizer.to_json()}, facts)

    def load(self, folder: Path) -> None:
        """Read what `save` wrote. The encoder it was trained from is not needed."""
        from annotarium_engines.learners.encoder_network import choose_device, restored_network
        from annotarium_engines.learners.subword_tokenizer import SubwordTokenizer

        manifest, (weights, config, words) = read_model(
            folder, component=_COMPONENT, version=self.version, names=_FILES
        )
        try:
            labels = [str(label) for label in manifest["labels"]]
            tags = [OUTSIDE, *(f"{kind}-{label}" for label in labels for kind in ("B", "I"))]
            head = str(manifest["parameters"]["head"])
            network = restored_network(weights, config, len(tags), head, pooled=False, device=choose_device())
            tokenizer = SubwordTokenizer.from_json(words)
            window = int(manifest["window"])
            trained = TokenTagger(network, tokenizer, tags, labels, str(manifest["language"]), window)
            if not OVERLAP <= trained.body <= network.longest:
                raise ValueError("the window does not fit the encoder")
        except Exception as error:  # the libraries raise many kinds of errors for invalid files
            cause = f"{type(error).__name__}: {error}"[:500]
            raise ComponentError("The model cannot be read.", cause=cause, fix="Train it again.") from error
        self._trained = trained
