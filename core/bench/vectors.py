"""What the vectors of 5,000 abstracts cost: `nice python core/bench/vectors.py [--data FOLDER] [--documents N]`.

Runs the job itself, as a worker does, with one BLAS thread, on documents of some ten sentences: the abstracts of
Cranfield, and texts of NCBI-disease, AG News and GoEmotions put together to such documents. Prints seconds, processor
seconds and the memory of the process at its highest, before the job began and at its end.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from support.installation import PASSWORD, UPLOAD_DOCUMENTS

ROOT = Path(__file__).parents[2]
CHARACTERS = 1_400
"""Of a document that is put together."""

_PREPARE = f"""
import sys
from starlette.testclient import TestClient
from annotarium.app import create_app
from annotarium.db.migrate import upgrade_database
from annotarium.domains.auth.operator_accounts import ensure_first_administrator
from annotarium.jobs.run import load_job_functions, run_job
from annotarium.server.process_lifecycle import register_commit_listeners
upgrade_database()
ensure_first_administrator()
register_commit_listeners()
load_job_functions()
{UPLOAD_DOCUMENTS}run_job(client.post("/api/projects/bench/documents/_load", json=upload, headers=headers).json()["id"])
job = client.post("/api/projects/bench/segments/_vectorize", json={{"vectorizer": sys.argv[3]}}, headers=headers)
print(job.json()["id"])
"""


def main() -> int:
    """Read the options, prepare a data folder, measure in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("ANNOTARIUM_CORPORA") or ROOT / "../shared/data")
    parser.add_argument("--documents", type=int, default=5_000)
    parser.add_argument("--vectorizer", default="lsa")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.job:
        print(json.dumps(_measure(given.job)))
        return 0
    with tempfile.TemporaryDirectory(prefix="an-", ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "documents.json"
        file.write_text(json.dumps(list(islice(_documents(given.data), given.documents))))
        environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
        environment |= {"ANNOTARIUM_DATA": f"{folder}/data", "ANNOTARIUM_LOG_LEVEL": "warning"}
        environment |= {"ANNOTARIUM_ADMIN_PASSWORD": PASSWORD, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-W", "ignore", "-c", _PREPARE, PASSWORD, str(file), given.vectorizer]
        job = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True).stdout.split()[-1]
        command = [sys.executable, __file__, "--job", job]
        said = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True).stdout
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    print(" ".join(f"{name} {value}" for name, value in found.items()))
    return 0


def _documents(data: Path) -> Iterator[dict[str, Any]]:
    abstracts = re.split(r"(?m)^\.I ", (data / "cranfield" / "cran.all.1400").read_text(encoding="latin-1"))[1:]
    for number, abstract in enumerate(abstracts):
        _, title, _, _, text = re.split(r"(?m)^\.[TABW]$", abstract, maxsplit=4)
        yield {"identifier": f"c{number}", "title": " ".join(title.split()), "text": text.strip() or "-"}
    with (data / "agnews" / "test.csv").open(encoding="utf-8", newline="") as file:
        news = [row[2].replace("\\", " ") for row in csv.reader(file)]
    tokens = (data / "NCBI-disease" / "train.tsv").read_text(encoding="utf-8").split("\n\n")
    diseases = [" ".join(line.split("\t")[0] for line in sentence.splitlines()) for sentence in tokens]
    lines = (data / "goemotions" / "train.tsv").read_text(encoding="utf-8").splitlines()
    for number, text in enumerate(_join_short_texts([*news, *diseases, *(line.split("\t")[0] for line in lines)])):
        yield {"identifier": f"d{number}", "title": " ".join(text.split()[:8]), "text": text}


def _join_short_texts(texts: Iterable[str]) -> Iterator[str]:
    held = ""
    for text in texts:
        held = f"{held} {text}".strip()
        if len(held) >= CHARACTERS:
            yield held
            held = ""


def _measure(job: str) -> dict[str, Any]:
    from annotarium.db.unit_of_work import unit_of_work
    from annotarium.jobs import repository
    from annotarium.jobs.run import load_job_functions, preload_shared_modules, run_job
    from annotarium.server.process_lifecycle import register_commit_listeners

    register_commit_listeners()
    load_job_functions()
    preload_shared_modules()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    begin, used = time.perf_counter(), time.process_time()
    run_job(job)
    seconds, processor = time.perf_counter() - begin, time.process_time() - used
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    with unit_of_work(actor="", write=False) as unit:
        found = repository.find_job(unit.session, job)
        assert found is not None
        message = found[0].status_message
    figures = {"seconds": round(seconds, 1), "processor": round(processor, 1), "MB": most, "MB_before": before}
    return figures | {"result": message, "load": os.getloadavg()[0]}


if __name__ == "__main__":
    sys.exit(main())
