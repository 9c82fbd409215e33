"""Real corpora for the engines' tests."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from annotarium_schemas.documents import Document

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def data(real_data: Path) -> Path:
    """Return the folder of the real corpora."""
    return real_data


@pytest.fixture(scope="session")
def convert() -> ModuleType:
    """Return the converter of the examples, examples/corpora/to_documents.py."""
    path = ROOT / "examples" / "corpora" / "to_documents.py"
    spec = importlib.util.spec_from_file_location("to_documents", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def diseases(data: Path, convert: ModuleType) -> tuple[list[Document], list[Document]]:
    """Return 600 training and 200 test sentences of NCBI disease, label `disease`."""
    train = convert.conll_documents(data / "NCBI-disease" / "train.tsv", "train")[:600]
    test = convert.conll_documents(data / "NCBI-disease" / "test.tsv", "test")[:200]
    return [Document.model_validate(one) for one in train], [Document.model_validate(one) for one in test]


@pytest.fixture(scope="session")
def questions(data: Path, convert: ModuleType) -> tuple[list[Document], list[Document]]:
    """Return 1000 training and 500 test questions of TREC, six categories."""
    train = convert.trec_documents(data / "trec_qc" / "train.txt", "train")[:1000]
    test = convert.trec_documents(data / "trec_qc" / "test.txt", "test")
    return [Document.model_validate(one) for one in train], [Document.model_validate(one) for one in test]


@pytest.fixture(scope="session")
def emotions(data: Path, convert: ModuleType) -> list[Document]:
    """Return 2500 comments of GoEmotions, several categories each."""
    labels = [line for line in convert.read_lines(data / "goemotions" / "labels.txt") if line]
    rows = convert.goemotions_documents(data / "goemotions" / "train.tsv", "train", labels)[:2500]
    return [Document.model_validate(one) for one in rows]
