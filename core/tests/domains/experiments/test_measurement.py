"""What a report promises: test parts of whole documents, intervals, what the model in use learned from."""

from __future__ import annotations

from typing import Any

from alike_corpus import alike_documents
from small_corpus import Corpus

FAST = {"iterations": 30}
OWN_SENTENCES = {"segmentationPolicy": "compute_if_missing"}


def trained(corpus: Corpus, engine: str = "crf", **more: Any) -> dict[str, Any]:
    """An experiment after its training."""
    parameters = FAST if engine == "crf" else {}
    name = corpus.post("/experiments", json={"engine": engine, "label": "M", "parameters": parameters} | more)["name"]
    job = corpus.post(f"/experiments/{name}/_launch")
    corpus.run_jobs()
    ended = corpus.get(f"/job/{job['id']}")
    assert ended["status"] == "COMPLETED", ended
    found: dict[str, Any] = corpus.get(f"/experiments/{name}")
    return found


def identifiers(pieces: Any) -> set[str]:
    return {piece.name for piece in pieces}


def test_the_report_promises_what_other_documents_show(corpus: Corpus, make_project: Any) -> None:
    """A report must not flatter: what it promises is what documents show that nobody has learned from. Tested by
    segment the same corpus promises more than 0.9 (measured: 0.96) where other documents show less than 0.6."""
    learned, others = alike_documents(60, seed=1), alike_documents(60, seed=2, prefix="t", metadata={"split": "test"})
    corpus.add(*learned)
    promised = trained(corpus)["report"]
    apart = Corpus(corpus.caller, make_project(lang="en"), corpus.run_jobs)
    apart.add(*learned, *others)
    assert apart.get("/_info")["hasSplit"] is True
    shown = trained(apart)["report"]
    assert (promised["split"], shown["split"]) == ("held out 20 %", "project")
    assert shown["testSize"] == 600
    for average in ("microAvg", "macroAvg", "weightedAvg"):
        (low, high), (least, most) = (one["intervals"][average]["f1"] for one in (promised, shown))
        assert low <= promised[average]["f1"] <= high
        assert low <= most, (average, promised, shown)
        assert least <= high, (average, promised, shown)
    assert shown["microAvg"]["f1"] < 0.6
