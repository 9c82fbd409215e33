"""Text classification by fine-tuning a pretrained encoder: understands paraphrases, needs more time than others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from annotarium_engines.learners.category_marks import confirmed_and_rejected_labels, label_matrix, with_categories
from annotarium_engines.learners.dev_part import draw_dev_part
from annotarium_engines.learners.encoders import ENCODERS, encoder_folder, encoders, require_transformers
from annotarium_engines.learners.text_scorer import (
    CategoryLoss,
    TextScorer,
    dev_category_f1,
    new_decision,
    text_logits,
    text_windows,
)
from annotarium_engines.learners.transformer_parameters import TransformerParameters
from annotarium_engines.model_files import (
    library_versions,
    no_examples_error,
    not_trained_error,
    read_model,
    write_model,
)
from annotarium_plugins.base.component import ComponentError, Nature, Progress, no_progress
from annotarium_plugins.base.learner import Learner
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    from annotarium_engines.learners.linear_model import LinearModel, Marks
    from annotarium_engines.model_files import Floats

_TITLE = "Transformer for texts"
_DESCRIPTION = (
    "Learns to categorise texts by fine-tuning a pretrained language model. Understands paraphrases; much slower "
    "without a GPU."
)
require_transformers(_TITLE, _DESCRIPTION)

_COMPONENT = "transformer_text_classifier"
_FILES = ("weights.safetensors", "config.json", "tokenizer.json")
_BATCH = 128
"""Documents predicted together."""
_MOST_WEIGHT = 10.0


class TransformerTextClassifierParameters(TransformerParameters):
    """Settings of the text classifier."""

    multi_label: Literal["auto", "yes", "no"] = Field(
        "auto",
        title="Several categories per document",
        description="Automatic: yes if a training document has more than one.",
    )
    thresholds: Literal["tuned", "half"] = Field(
        "tuned",
        title="Thresholds",
        description="With several categories: from which score on a category is assigned. Tuned on the dev part.",
    )


class TransformerTextClassifier(Learner[TransformerTextClassifierParameters]):
    """A pretrained encoder; a linear layer, or one more, reads the mean of its vectors.

    A long text is read in windows: each is an example of the text's categories, and the text's scores come from the
    mean of the windows. Exclusive: scores add up to 1. Multiple labels: a label is assigned from its own threshold on
    (score 0.5), tuned on the dev part; a label with fewer than 10 examples there uses the common threshold. A rejected
    category (KO) is a counter-example for its label only. On a CPU the same input, parameters and seed give the same
    model.
    """

    title: ClassVar[str] = _TITLE
    description: ClassVar[str] = _DESCRIPTION
    parameters_model: ClassVar[type[Parameters]] = TransformerTextClassifierParameters
    natures: ClassVar[tuple[Nature, ...]] = ("classification",)
    version: ClassVar[str] = "1"

    def __init__(self, parameters: TransformerTextClassifierParameters) -> None:
        super().__init__(parameters)
        self._trained: TextScorer | None = None

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
            ComponentError: no confirmed category has one of the labels, or the encoder cannot be used.
        """
        progress(0, 1, message("doing.readTraining", "Loading the training data"))
        ordered = sorted(documents, key=lambda one: (one.identifier, one.text))
        judged = [(one, *confirmed_and_rejected_labels(one, frozenset(labels))) for one in ordered]
        judged = [one for one in judged if one[1] or one[2]]
        learned = sorted(set().union(*(right for _, right, _ in judged)))
        if not learned:
            raise no_examples_error("category")
        choice = self.parameters.multi_label
        exclusive = all(len(right) <= 1 for _, right, _ in judged) if choice == "auto" else choice == "no"
        marks = label_matrix([(one.text, right, wrong) for one, right, wrong in judged], learned)
        self._trained = None
        self._fit([one for one, _, _ in judged], marks, learned, language, exclusive, progress)

    def _fit(
        self,
        documents: list[Document],
        marks: Marks,
        learned: list[str],
        language: str,
        exclusive: bool,
        progress: Progress,
    ) -> None:
        import numpy as np

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
        with seeded(parameters.seed, device):
            tokenizer = SubwordTokenizer.of_encoder(folder)
            network = pretrained_network(folder, len(learned), parameters.head, pooled=True, device=device)
            freeze_layers(network, parameters.frozen_layers)
            window = min(parameters.max_length, network.longest)
            trained = TextScorer(network, tokenizer, new_decision(learned, exclusive), language, window)
            held = draw_dev_part([one.identifier for one in documents], parameters.dev_share, parameters.seed)
            dev, kept = sorted(held), [at for at in range(len(documents)) if at not in held]
            by_text = text_windows(trained, [one.text for one in documents])
            rows = [(window, at) for at in kept for window in by_text[at]]
            shares = [1.0 / len(by_text[at]) for _, at in rows]
            loss = CategoryLoss(
                marks[[at for _, at in rows]], shares, self._weights(marks[kept], exclusive), exclusive, device
            )
            dev_windows, dev_marks = [by_text[at] for at in dev], marks[dev]
            has_dev = bool(len(dev)) and bool((dev_marks == 1).any())

            def evaluate() -> float:
                return dev_category_f1(text_logits(trained, dev_windows), dev_marks, exclusive)

            FineTuning(
                network, [window for window, _ in rows], loss, evaluate if has_dev else None, parameters, progress
            ).run()
            if has_dev:
                self._tune(trained.decision, text_logits(trained, dev_windows), np.asarray(dev_marks))
        self._trained = trained

    def _tune(self, decision: LinearModel, logits: Floats, marks: Marks) -> None:
        """Choose the sharpness of the scores, and the thresholds, on the dev part."""
        from annotarium_engines.learners.linear_model import tune_sharpness_and_thresholds

        sharpness, thresholds = tune_sharpness_and_thresholds(decision, logits, marks)
        decision.sharpness = sharpness
        if not decision.exclusive and self.parameters.thresholds == "tuned":
            decision.thresholds = thresholds
        elif not decision.exclusive:
            decision.sharpness = 1.0

    def _weights(self, marks: Marks, exclusive: bool) -> Floats | None:
        """Return a weight for the positive examples of each label."""
        import numpy as np

        if self.parameters.class_weights == "none":
            return None
        positive = np.maximum((marks == 1).sum(axis=0), 1).astype(np.float32)
        rest = positive.sum() / len(positive) if exclusive else np.maximum((marks == -1).sum(axis=0), 1)
        weights: Floats = np.clip(np.sqrt(rest / positive), 1 / _MOST_WEIGHT, _MOST_WEIGHT).astype(np.float32)
        return weights

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
        trained = self._trained
        if trained is None:
            raise not_trained_error()
        decision, rest = trained.decision, iter(documents)
        while batch := list(islice(rest, _BATCH)):
            scores = decision.scores(text_logits(trained, text_windows(trained, [one.text for one in batch])))
            for document, row in zip(batch, scores, strict=True):
                order = (-row).argsort(kind="stable")
                yield document, [(decision.labels[at], float(row[at])) for at in order], decision.exclusive

    def save(self, folder: Path) -> None:
        """Write `weights.safetensors`, `config.json`, `tokenizer.json` and `manifest.json`."""
        from annotarium_engines.learners.encoder_network import network_files

        trained = self._trained
        if trained is None:
            raise not_trained_error()
        decision = trained.decision
        facts = {
            "component": _COMPONENT,
            "version": self.version,
            "parameters": self.parameters.model_dump(),
            "labels": decision.labels,
            "exclusive": decision.exclusive,
            "sharpness": decision.sharpness,
            "thresholds": decision.thresholds,
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
            decision = new_decision(labels, bool(manifest["exclusive"]))
            decision.sharpness = float(manifest["sharpness"])
            decision.thresholds = [float(value) for value in manifest["thresholds"]]
            head = str(manifest["parameters"]["head"])
            network = restored_network(weights, config, len(labels), head, pooled=True, device=choose_device())
            tokenizer, window = SubwordTokenizer.from_json(words), int(manifest["window"])
            trained = TextScorer(network, tokenizer, decision, str(manifest.get("language", "")), window)
            if len(decision.thresholds) != len(labels) or not 1 <= trained.body <= network.longest:
                raise ValueError("labels, window and encoder do not fit together")
        except Exception as error:  # the libraries raise many kinds of errors for invalid files
            cause = f"{type(error).__name__}: {error}"[:500]
            raise ComponentError("The model cannot be read.", cause=cause, fix="Train it again.") from error
        self._trained = trained
