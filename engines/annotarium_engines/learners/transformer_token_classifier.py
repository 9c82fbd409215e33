"""Sequence labelling by fine-tuning a pretrained encoder: understands context, needs more time than other learners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from pydantic import Field

from annotarium_engines.learners.bio_tags import OUTSIDE, encode
from annotarium_engines.learners.dev_part import draw_dev_part
from annotarium_engines.learners.encoders import ENCODERS, encoder_folder, encoders, require_transformers
from annotarium_engines.learners.subword_windows import SubwordWindow, subword_windows
from annotarium_engines.learners.tag_probabilities import (
    Scored,
    TagProbabilities,
    with_predicted_spans,
    with_ranked_spans,
)
from annotarium_engines.learners.transformer_parameters import TransformerParameters
from annotarium_engines.model_files import (
    library_versions,
    no_examples_error,
    not_trained_error,
    read_model,
    write_model,
)
from annotarium_engines.tokens import Token, tokenize
from annotarium_plugins.base.component import ComponentError, Nature, Progress, no_progress
from annotarium_plugins.base.learner import Learner
from annotarium_plugins.parameters import Parameters, hint
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    import torch

    from annotarium_engines.learners.encoder_network import EncoderNetwork
    from annotarium_engines.learners.subword_tokenizer import Subwords, SubwordTokenizer
    from annotarium_engines.model_files import Floats

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
_OVERLAP = 4
"""Neighbouring windows share this part (1/n) of their length."""
_IGNORED = -100
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


@dataclass
class _TrainedModel:
    network: EncoderNetwork
    tokenizer: SubwordTokenizer
    tags: list[str]
    labels: list[str]
    language: str
    window: int

    @property
    def body(self) -> int:
        """Subwords of a text in one window."""
        return self.window - self.tokenizer.special


class _ReadText(NamedTuple):
    """A text, split in tokens and subwords; `first_of[token]` is its first subword, -1 if it has none."""

    tokens: list[Token]
    subwords: Subwords
    first_of: list[int]
    windows: list[SubwordWindow]


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
        self._trained: _TrainedModel | None = None

    @classmethod
    def missing_setting(cls) -> str:
        """The setting with the encoders, if this server has none."""
        return "" if encoders() else ENCODERS

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
            trained = _TrainedModel(network, tokenizer, tags, learned, language, window)
            texts = _read_texts(trained, [one.text for one in documents])
            held = draw_dev_part([one.identifier for one in documents], parameters.dev_share, parameters.seed)
            kept = [at for at in range(len(texts)) if at not in held]
            windows, targets = _examples(trained, [texts[at] for at in kept], [gold[at] for at in kept])
            dev = [(texts[at], gold[at]) for at in sorted(held)]
            has_dev = any(tag != OUTSIDE for _, marks in dev for tag in marks)
            FineTuning(
                network,
                windows,
                _TagLoss(targets, self._weights(targets, len(tags)), device),
                (lambda: _tag_f1(trained, dev)) if has_dev else None,
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
                if target != _IGNORED:
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
            texts = _read_texts(trained, [one.text for one in batch])
            for document, text, rows in zip(batch, texts, _probabilities(trained, texts), strict=True):
                yield document, [(text.tokens, _tag_probabilities(trained, rows))]

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
            trained = _TrainedModel(network, tokenizer, tags, labels, str(manifest["language"]), window)
            if not _OVERLAP <= trained.body <= network.longest:
                raise ValueError("the window does not fit the encoder")
        except Exception as error:  # the libraries raise many kinds of errors for invalid files
            cause = f"{type(error).__name__}: {error}"[:500]
            raise ComponentError("The model cannot be read.", cause=cause, fix="Train it again.") from error
        self._trained = trained


class _TagLoss:
    """Cross-entropy of the tags of the first subwords of the tokens."""

    def __init__(self, targets: list[list[int]], weights: list[float] | None, device: torch.device) -> None:
        import torch

        self._targets, self._device = targets, device
        self._weights = torch.tensor(weights, device=device) if weights is not None else None

    def __call__(self, logits: torch.Tensor, batch: list[int]) -> torch.Tensor:
        import torch
        from torch.nn import functional

        width = logits.shape[1]
        rows = [self._targets[at] + [_IGNORED] * (width - len(self._targets[at])) for at in batch]
        targets = torch.tensor(rows, device=self._device).flatten()
        scores = logits.flatten(0, 1)
        total: torch.Tensor = functional.cross_entropy(
            scores, targets, weight=self._weights, ignore_index=_IGNORED, reduction="sum"
        )
        return total / (targets != _IGNORED).sum().clamp(min=1)


def _read_texts(trained: _TrainedModel, texts: Sequence[str]) -> list[_ReadText]:
    found = []
    for text, subwords in zip(texts, trained.tokenizer.split(texts), strict=True):
        tokens = tokenize(text)
        windows = subword_windows(len(subwords.ids), trained.body, trained.body // _OVERLAP)
        found.append(_ReadText(tokens, subwords, first_subwords(tokens, subwords.offsets), windows))
    return found


def first_subwords(tokens: Sequence[Token], offsets: Sequence[tuple[int, int]]) -> list[int]:
    """Return for each token the index of the first subword that overlaps it, -1 if there is none.

    A subword that covers several tokens is the first one of the first of these that has no other.
    """
    found, at, taken = [], 0, -1
    for token in tokens:
        while at < len(offsets) and offsets[at][1] <= token.start:
            at += 1
        first = at
        while first < len(offsets) and (first <= taken or offsets[first][0] == offsets[first][1]):
            first += 1
        inside = first < len(offsets) and offsets[first][0] < token.end and offsets[first][1] > token.start
        found.append(first if inside else -1)
        taken = max(taken, first) if inside else taken
    return found


def _examples(
    trained: _TrainedModel, texts: Sequence[_ReadText], gold: Sequence[Sequence[str]]
) -> tuple[list[list[int]], list[list[int]]]:
    """Return the subwords of all windows, and for each subword the number of its tag or `_IGNORED`."""
    place = {tag: number for number, tag in enumerate(trained.tags)}
    windows, targets = [], []
    for text, tags in zip(texts, gold, strict=True):
        tag_of = {first: place[tag] for first, tag in zip(text.first_of, tags, strict=True) if first >= 0}
        for one in text.windows:
            row = [
                tag_of.get(at, _IGNORED) if one.own_first <= at < one.own_past else _IGNORED
                for at in range(one.first, one.past)
            ]
            if any(target != _IGNORED for target in row):
                windows.append(trained.tokenizer.framed(text.subwords.ids[one.first : one.past]))
                targets.append([_IGNORED] * trained.tokenizer.first + row)
    return windows, targets


def _probabilities(trained: _TrainedModel, texts: Sequence[_ReadText]) -> list[Floats]:
    """Return tokens x tags for each text; a token without a subword is outside."""
    import numpy as np

    placed = [(number, one) for number, text in enumerate(texts) for one in text.windows]
    framed = [trained.tokenizer.framed(texts[number].subwords.ids[one.first : one.past]) for number, one in placed]
    of_subwords = [np.zeros((len(text.subwords.ids), len(trained.tags)), dtype=np.float32) for text in texts]
    for (number, one), logits in zip(placed, trained.network.infer(framed), strict=True):
        begin = trained.tokenizer.first + one.own_first - one.first
        shifted = logits[begin : begin + one.own_past - one.own_first]
        shares = np.exp(shifted - shifted.max(axis=1, keepdims=True)) if len(shifted) else shifted
        of_subwords[number][one.own_first : one.own_past] = shares / shares.sum(axis=1, keepdims=True)
    found = []
    for text, rows in zip(texts, of_subwords, strict=True):
        table: Floats = np.zeros((len(text.tokens), len(trained.tags)), dtype=np.float32)
        for index, first in enumerate(text.first_of):
            if first >= 0:
                table[index] = rows[first]
            else:
                table[index, 0] = 1.0
        found.append(table)
    return found


def _tag_probabilities(trained: _TrainedModel, rows: Floats) -> TagProbabilities:
    column = {tag: number for number, tag in enumerate(trained.tags)}

    def marginal(tag: str, index: int) -> float:
        return float(rows[index, column[tag]]) if tag in column else 0.0

    return TagProbabilities(trained.labels, best_tags(trained.tags, rows), marginal)


def best_tags(tags: Sequence[str], rows: Floats) -> list[str]:
    """Return the sequence of tags with the greatest product of probabilities in which each `I` continues its label.

    Args:
        tags: `O`, then `B` and `I` of each label.
        rows: tokens x tags.
    """
    import numpy as np

    if not len(rows):
        return []
    scores = np.log(np.maximum(rows.astype(np.float64), 1e-12))
    follows = np.array(
        [[not tag.startswith("I-") or before[2:] == tag[2:] for tag in tags] for before in tags], dtype=bool
    )
    step = np.where(follows, 0.0, -np.inf)
    best = np.where([tag.startswith("I-") for tag in tags], -np.inf, scores[0])
    came_from = np.zeros(rows.shape, dtype=np.int64)
    for index in range(1, len(rows)):
        options = best[:, None] + step
        came_from[index] = options.argmax(axis=0)
        best = options.max(axis=0) + scores[index]
    path = [int(best.argmax())]
    for index in range(len(rows) - 1, 0, -1):
        path.append(int(came_from[index, path[-1]]))
    return [tags[number] for number in reversed(path)]


def _tag_f1(trained: _TrainedModel, dev: Sequence[tuple[_ReadText, list[str]]]) -> float:
    """Strict micro F1 of the spans of the dev part."""
    from annotarium_engines.learners.bio_tags import decode

    hits = found = right = 0
    rows = _probabilities(trained, [text for text, _ in dev])
    for (_, gold), table in zip(dev, rows, strict=True):
        predicted, wanted = set(decode(best_tags(trained.tags, table))), set(decode(gold))
        hits, found, right = hits + len(predicted & wanted), found + len(predicted), right + len(wanted)
    return 2 * hits / (found + right) if found + right else 0.0
