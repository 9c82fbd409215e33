"""Benchmark of the dashboard over HTTP: `python core/bench/dashboard.py [--quick] [--documents N]`.

10,000 documents with 20 segments and 20 annotations each, on a separate server; all counts are exact and none is cached
from an earlier call. Goal: the requests that the dashboard makes when it opens are answered within 100 ms (p95).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from support.comparison_table import ComparisonTable, p50, p95, time_calls
from support.corpus import Corpus
from support.installation import Installation

SEGMENTS, BATCH, CALLS, GOAL = 20, 2_000, 60, 100
OPENED = {
    "corpus": "corpusMetrics?facet=source&details=true",
    "corpus, as published": "corpusMetrics",
    "corpus, light form": "corpusMetrics?computeCorpusSize=false&computeFacets=false&estimatedCounts=true",
    "annotations": "annotationMetrics?details=true&computeTexts=false",
    "annotations and a metadata": "annotationMetrics?details=true&computeTexts=false&facet=source",
    "categories": "categoriesMetrics?details=true",
    "models": "modelMetrics",
}
ASKED = {
    "lengths of segments": "corpusMetrics?details=true&segmentLengths=true&computeFacets=false",
    "annotated texts": "annotationMetrics",
}


def fill(server: Installation, documents: int) -> None:
    """Import the corpus."""
    server.call("POST", "/projects", json={"label": "bench", "name": "bench", "lang": "en", "metafacets": "source"})
    corpus = Corpus()
    for first in range(0, documents, BATCH):
        batch = [document(corpus, number) for number in range(first, min(first + BATCH, documents))]
        server.call(
            "POST",
            "/projects/bench/documents/_import_documents",
            params={"wait": "true"},
            content=json.dumps(batch).encode(),
            headers={"content-type": "application/json"},
        )


def document(corpus: Corpus, number: int) -> dict[str, Any]:
    """Return a document of 20 sentences with a span each; metadata and category as in the other benchmarks."""
    short = corpus.document(number)
    return short | corpus.long_document(short["identifier"], sentences=SEGMENTS, spans_each=1)


def main() -> int:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="1,000 documents")
    parser.add_argument("--documents", type=int, default=0)
    given = parser.parse_args()
    documents = given.documents or (1_000 if given.quick else 10_000)
    table = ComparisonTable()
    with tempfile.TemporaryDirectory(prefix="an-", ignore_cleanup_errors=True) as folder:
        server = Installation(Path(folder))
        try:
            server.start()
            server.sign_in()
            fill(server, documents)
            found = server.call("GET", "/projects/bench/corpusMetrics")
            table.check("every document counted", found["documentCount"] == documents, f"{found['documentCount']:,}")
            table.check("segments", found["segmentCount"] > 0, f"{found['segmentCount']:,}")
            for names, goal in ((OPENED, GOAL), (ASKED, None)):
                for name, path in names.items():
                    before = server.processor_seconds()
                    taken = time_calls(
                        lambda _, path=path: server.call("GET", f"/projects/bench/{path}"), CALLS, warm=0
                    )
                    processor = (server.processor_seconds() - before) * 1000 / CALLS
                    table.figure(f"{name}, p50", p50(taken), "ms")
                    table.figure(f"{name}, p95", p95(taken), "ms", goal=goal)
                    table.figure(f"{name}, processor time of a call", processor, "ms")
        finally:
            server.stop()
    print(f"load of the machine (1, 5, 15 minutes): {' '.join(f'{one:.1f}' for one in os.getloadavg())}")
    return 1 if table.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
