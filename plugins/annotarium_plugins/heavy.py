"""Libraries that must not be imported by listing, describing or constructing a component."""

from __future__ import annotations

import sys

HEAVY_LIBRARIES: tuple[str, ...] = (
    "bertopic",
    "gensim",
    "hdbscan",
    "huggingface_hub",
    "matplotlib",
    "numba",
    "numpy",
    "onnxruntime",
    "pandas",
    "pycrfsuite",
    "safetensors",
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
"""Importing them takes seconds and hundreds of megabytes, and the API process, which describes components, does not use
them.
"""


def heavy_modules() -> list[str]:
    """Return the heavy libraries that are imported in this process."""
    return [name for name in HEAVY_LIBRARIES if name in sys.modules]
