"""Documents for tests of trainables: `from support.real_corpora import entity_documents, question_documents`.

They come from public corpora if a folder with these exists: the one that ANNOTARIUM_CORPORA names, else
`../shared/data`. Otherwise they are the samples of `examples/corpora/samples.py`, with the same labels. Tests that
require a real corpus use the fixture `real_data` and are skipped without one.

conftest.py at the root marks tests of both kinds with `real_corpora`: `pytest -m real_corpora` runs the tests whose
result depends on the corpora.
"""

from __future__ import annotations

import importlib.util
import os
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("ANNOTARIUM_CORPORA", ROOT.parent / "shared" / "data"))
CORPORA = (
    *("NCBI-disease", "agnews", "banking77", "conll2002-es", "cranfield"),
    *("goemotions", "trec_qc", "wnut17", "xquad"),
)
ABSENT = [name for name in CORPORA if not (DATA / name).is_dir()]
MISSING = f"no {', '.join(ABSENT)} in {DATA}: name a folder with these public corpora in ANNOTARIUM_CORPORA"


@cache
def load_script(name: str) -> ModuleType:
    """Load a script of examples/corpora as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / "corpora" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def entity_documents(count: int) -> list[dict[str, Any]]:
    """Return short texts with spans of six labels: WNUT-17 (development part), else samples."""
    if ABSENT:
        return list(load_script("samples").posts(count))
    documents: list[dict[str, Any]] = load_script("to_documents").conll_documents(
        DATA / "wnut17/emerging.dev.conll", "dev"
    )
    return documents[:count]


def question_documents(count: int) -> list[dict[str, Any]]:
    """Return questions with one of six categories, without annotations: TREC (training part), else samples."""
    if ABSENT:
        return list(load_script("samples").questions(count))
    documents: list[dict[str, Any]] = load_script("to_documents").trec_documents(DATA / "trec_qc/train.txt", "train")
    for document in documents:
        document.pop("annotations")
        document.pop("sentences", None)
    return documents[:count]
