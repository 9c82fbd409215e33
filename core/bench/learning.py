"""Quality and cost of the learners on standard test splits.

    nice python core/bench/learning.py [corpus ...] [--data FOLDER] [--set NAME=VALUE ...]

Corpora: wnut17 ncbi conll2002-es (strict entity F1), banking77 trec goemotions (accuracy, micro and macro F1), and
agnews-topics banking77-topics (agreement of topics found without labels with the labels of annotators: normalised
mutual information); all by default. `--topics BERTopic` finds topics with another engine. Learners are found by their
entry points, as on the server, so the project must be installed.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import json
import math
import os
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from annotarium.domains.experiments.metrics import QualityReport, category_report, span_report
from annotarium_schemas.documents import Document

ROOT = Path(__file__).parents[2]
Documents = list[Document]


@dataclass
class LabelledCorpus:
    """A corpus, its learner, and how its files become documents."""

    learner: str
    language: str
    read: Callable[[Any, Path], tuple[list[dict[str, Any]], list[dict[str, Any]]]]


def _agnews(tool: Any, data: Path, count: int = 5000) -> tuple[Any, Any]:
    with (data / "agnews" / "test.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            {"identifier": str(number), "text": f"{row[1]}. {row[2]}", "categories": [{"labelName": row[0]}]}
            for number, row in enumerate(csv.reader(file))
        ]
    return rows[:count], []


def _conll(train: str, test: str) -> Callable[[Any, Path], tuple[Any, Any]]:
    return lambda tool, data: (tool.conll_documents(data / train, "train"), tool.conll_documents(data / test, "test"))


def _goemotions(tool: Any, data: Path) -> tuple[Any, Any]:
    folder = data / "goemotions"
    labels = [line for line in tool.read_lines(folder / "labels.txt") if line]
    return (
        tool.goemotions_documents(folder / "train.tsv", "train", labels),
        tool.goemotions_documents(folder / "test.tsv", "test", labels),
    )


CORPORA = {
    "wnut17": LabelledCorpus("crf", "en", _conll("wnut17/wnut17train.conll", "wnut17/emerging.test.annotated")),
    "ncbi": LabelledCorpus("crf", "en", _conll("NCBI-disease/train.tsv", "NCBI-disease/test.tsv")),
    "conll2002-es": LabelledCorpus("crf", "es", _conll("conll2002-es/esp.train", "conll2002-es/esp.testb")),
    "banking77": LabelledCorpus(
        "sklearn_text_classifier",
        "en",
        lambda tool, data: (
            tool.banking77_documents(data / "banking77/train.csv", "train"),
            tool.banking77_documents(data / "banking77/test.csv", "test"),
        ),
    ),
    "trec": LabelledCorpus(
        "sklearn_text_classifier",
        "en",
        lambda tool, data: (
            tool.trec_documents(data / "trec_qc/train.txt", "train"),
            tool.trec_documents(data / "trec_qc/test.txt", "test"),
        ),
    ),
    "goemotions": LabelledCorpus("sklearn_text_classifier", "en", _goemotions),
}
TOPICS = {
    "agnews-topics": LabelledCorpus("sklearn_topics", "en", _agnews),
    "banking77-topics": LabelledCorpus("sklearn_topics", "en", CORPORA["banking77"].read),
}


def load_corpus_converters() -> Any:
    """Return the module examples/corpora/to_documents.py."""
    spec = importlib.util.spec_from_file_location("to_documents", ROOT / "examples" / "corpora" / "to_documents.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build_learner(name: str, parameters: dict[str, Any]) -> Any:
    """Return a learner by its component name."""
    found = next(iter(entry_points(group="annotarium.learners", name=name)), None)
    if found is None:
        raise SystemExit(f"The learner {name} is not installed: run `pip install -e .` in the project first.")
    component = found.load()
    known = {key: value for key, value in parameters.items() if key in component.parameters_model.model_fields}
    return component(component.parameters_model.model_validate(known))


def evaluate_predictions(gold: Documents, predicted: Documents) -> QualityReport:
    """Compare spans when the corpus has them, otherwise categories."""
    if any(one.annotations for one in gold):
        spans = [
            [[(a.start, a.end, a.label_name or "") for a in one.annotations] for one in side]
            for side in (gold, predicted)
        ]
        return span_report(*spans)
    names = [[[c.label_name or "" for c in one.categories] for one in side] for side in (gold, predicted)]
    return category_report(*names)


def _labels(document: Document) -> list[str]:
    names = [one.label_name for one in document.annotations] + [one.label_name for one in document.categories]
    return [name for name in names if name]


def measure_learner(name: str, data: Path, parameters: dict[str, Any]) -> str:
    """Return one line: quality, CPU seconds, model size, peak memory of the process so far."""
    corpus = CORPORA[name]
    train, test = (
        [Document.model_validate(one) for one in part] for part in corpus.read(load_corpus_converters(), data)
    )
    labels = sorted({name for one in train for name in _labels(one)})
    learner = build_learner(corpus.learner, parameters)
    started = time.process_time()
    learner.fit(train, labels=labels, language=corpus.language)
    fitted = time.process_time()
    predicted = list(learner.predict(test, corpus.language))
    done = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        learner.save(Path(folder))
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
    report = evaluate_predictions(test, predicted)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"{name:13} micro F1 {100 * report.micro.f1:5.2f}  macro F1 {100 * report.macro.f1:5.2f}  "
        f"P {100 * report.micro.precision:5.2f}  R {100 * report.micro.recall:5.2f}  "
        f"exact {100 * report.accuracy:5.2f}  fit {fitted - started:5.1f} s  predict {done - fitted:4.1f} s  "
        f"model {size / 1e6:5.1f} MB  peak {memory:4.0f} MB"
    )


def normalised_mutual_information(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the normalised mutual information (arithmetic mean) of two groupings of the same items, 0..1."""
    total = len(one)
    ones, others, both = Counter(one), Counter(other), Counter(zip(one, other, strict=True))
    shared = sum(n / total * math.log(n * total / (ones[a] * others[b])) for (a, b), n in both.items())
    entropies = [-sum(n / total * math.log(n / total) for n in part.values()) for part in (ones, others)]
    return 2 * shared / sum(entropies) if sum(entropies) else 1.0


def measure_topics(name: str, data: Path, engine: str, parameters: dict[str, Any]) -> str:
    """Return one line: agreement with the labels of annotators, outliers, CPU seconds, peak memory of the process so
    far.
    """
    corpus = TOPICS[name]
    documents = [Document.model_validate(one) for one in corpus.read(load_corpus_converters(), data)[0]]
    learner = build_learner(engine, parameters)
    started = time.process_time()
    learner.fit([one.model_copy(update={"categories": []}) for one in documents], labels=(), language=corpus.language)
    fitted = time.process_time()
    found = [(_labels(one) or [""])[0] for one in learner.predict(documents, corpus.language)]
    done = time.process_time()
    topics = learner.topics()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"{name:16} {engine}  NMI {normalised_mutual_information([_labels(one)[0] for one in documents], found):.3f}  "
        f"topics {len(topics.topics)}  outliers {100 * topics.outliers / topics.pieces:.1f} %  "
        f"{topics.measure} {topics.quality:.2f}  fit {fitted - started:5.1f} s  predict {done - fitted:4.1f} s  "
        f"peak {memory:4.0f} MB"
    )


def main() -> None:
    """Print one line per corpus."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", nargs="*", metavar="corpus", help=" ".join([*CORPORA, *TOPICS]))
    default = Path(os.environ.get("ANNOTARIUM_CORPORA", ROOT.parent / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=default, help="folder of the corpora")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a learner's parameter, JSON")
    parser.add_argument("--topics", default="sklearn_topics", metavar="ENGINE", help="what finds topics")
    options = parser.parse_args()
    unknown = set(options.corpora) - CORPORA.keys() - TOPICS.keys()
    if unknown:
        parser.error(f"no such corpus: {', '.join(sorted(unknown))}")
    parameters = {}
    for setting in options.set:
        name, _, value = setting.partition("=")
        parameters[name] = json.loads(value) if value[:1] in "0123456789{[tf" else value
    for name in options.corpora or [*CORPORA, *TOPICS]:
        if name in TOPICS:
            print(measure_topics(name, options.data, options.topics, parameters), flush=True)
        else:
            print(measure_learner(name, options.data, parameters), flush=True)


if __name__ == "__main__":
    main()
