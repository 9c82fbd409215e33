"""Libraries that neither listing, describing nor constructing a component may import."""

from __future__ import annotations

import sys

HEAVY_LIBRARIES: tuple[str, ...] = (
    "bertopic",
    "gensim",
    "hdbscan",
    "matplotlib",
    "numba",
    "numpy",
    "onnxruntime",
    "pandas",
    "pycrfsuite",
    "scipy",
    "sentence_transformers",
    "sklearn",
    "spacy",
    "stanza",
    "tensorflow",
    "tokenizers",
    "torch",
    "transformers",
    "umap",
)
"""They cost seconds and hundreds of megabytes; the API process describes components and never uses them."""


def heavy_modules() -> list[str]:
    """Heavy libraries that are imported in this process."""
    return [name for name in HEAVY_LIBRARIES if name in sys.modules]
