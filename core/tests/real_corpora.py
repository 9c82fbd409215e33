"""Small parts of real corpora as documents, for tests of modelling: `from real_corpora import entities, questions`."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("ANNOTARIUM_CORPORA", ROOT.parent / "shared" / "data"))


def _reader() -> Any:
    spec = importlib.util.spec_from_file_location("to_documents", ROOT / "examples" / "corpora" / "to_documents.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _file(name: str) -> Path:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is missing: set ANNOTARIUM_CORPORA to a folder with the public corpora")
    return path


def entities(count: int) -> list[dict[str, Any]]:
    """Documents of WNUT-17 (development part): short texts with spans of six labels."""
    documents: list[dict[str, Any]] = _reader().conll_documents(_file("wnut17/emerging.dev.conll"), "dev")
    return documents[:count]


def questions(count: int) -> list[dict[str, Any]]:
    """Documents of TREC (training part): questions with one of six categories, no annotations."""
    documents: list[dict[str, Any]] = _reader().trec_documents(_file("trec_qc/train.txt"), "train")
    for document in documents:
        document.pop("annotations")
        document.pop("sentences", None)
    return documents[:count]
