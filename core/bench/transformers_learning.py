"""Quality and cost of the fine-tuned learners on standard test splits, from MiniLM or another encoder.

    python core/bench/transformers_learning.py [corpus ...] [--data FOLDER] [--set NAME=VALUE ...] [--sample N]
        [--held-back] [--baseline] [--json FILE]

Corpora: wnut17 ncbi conll2002-es (strict entity F1), banking77 trec agnews (accuracy; of AG News only the test part is
public here: 6,000 of its texts are learned from, 1,600 are the test), goemotions (micro and macro F1); all by default.
Each is trained in a process of its own. `--sample` takes that many training and test documents: a quick run on a CPU
shows that it works, not what it reaches. `--held-back` tests on a tenth of the training part: settings are chosen with
it, so that the test part stays unseen. `--baseline` measures the default learner on the same parts.
"""

from __future__ import annotations

import argparse
import importlib
import json
import multiprocessing
import os
import random
import resource
import tempfile
import time
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from learning import CORPORA, Documents, LabelledCorpus, _agnews, evaluate_predictions, load_corpus_converters

from annotarium.domains.experiments.confidence_intervals import metric_intervals
from annotarium_schemas.documents import Document

ROOT = Path(__file__).parents[2]
_AGNEWS_LEARNED, _AGNEWS_TEST = 6000, 1600
LEARNERS = {
    "crf": ("transformer_token_classifier", "TransformerTokenClassifier"),
    "sklearn_text_classifier": ("transformer_text_classifier", "TransformerTextClassifier"),
}
"""The fine-tuned learner for each default learner."""
BASELINES = {
    "crf": ("crf_learner", "CrfLearner"),
    "sklearn_text_classifier": ("sklearn_text_classifier", "SklearnTextClassifier"),
}


def _split_agnews(tool: Any, data: Path) -> tuple[Any, Any]:
    rows = list(_agnews(tool, data, 7600)[0])
    random.Random(0).shuffle(rows)
    return rows[:_AGNEWS_LEARNED], rows[_AGNEWS_LEARNED : _AGNEWS_LEARNED + _AGNEWS_TEST]


ALL = CORPORA | {"agnews": LabelledCorpus("sklearn_text_classifier", "en", _split_agnews)}
_ORDER = ("wnut17", "ncbi", "conll2002-es", "banking77", "trec", "agnews", "goemotions")


def read_parts(name: str, options: argparse.Namespace) -> tuple[Documents, Documents]:
    """Return what to learn from and what to test on."""
    parts = ALL[name].read(load_corpus_converters(), options.data)
    train, test = ([Document.model_validate(one) for one in part] for part in parts)
    if options.held_back:
        random.Random(1).shuffle(train)
        cut = len(train) // 10
        test, train = train[:cut], train[cut:]
    if options.sample:
        random.Random(2).shuffle(train)
        train, test = train[: options.sample], test[: options.sample]
    return train, test


def _marks(document: Document) -> frozenset[Any]:
    if document.annotations:
        return frozenset((one.start, one.end, one.label_name or "") for one in document.annotations)
    return frozenset(one.label_name or "" for one in document.categories)


def measure(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """Train and test on one corpus; return figures in percent, seconds, and megabytes."""
    train, test = read_parts(name, options)
    corpus = ALL[name]
    module, cls = (BASELINES if options.baseline else LEARNERS)[corpus.learner]
    component = getattr(importlib.import_module(f"annotarium_engines.learners.{module}"), cls)
    known = {key: value for key, value in options.parameters.items() if key in component.parameters_model.model_fields}
    learner = component(component.parameters_model.model_validate(known))
    found = {one.label_name for part in train for one in [*part.annotations, *part.categories]}
    epochs: list[str] = []
    started = time.perf_counter()
    learner.fit(
        train,
        labels=sorted(label for label in found if label),
        language=corpus.language,
        progress=lambda step, total, words: epochs.append(str(words)) if str(words) not in epochs[-1:] else None,
    )
    fitted = time.perf_counter()
    predicted = list(learner.predict(test, corpus.language))
    done = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        learner.save(Path(folder))
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    report = evaluate_predictions(test, predicted)
    intervals = metric_intervals(
        [_marks(one) for one in test],
        [_marks(one) for one in predicted],
        [one.identifier for one in test],
        label_of=lambda mark: mark if isinstance(mark, str) else mark[2],
        seed=0,
    )
    micro, macro = ([100 * bound for bound in intervals[kind]["f1"]] for kind in ("microAvg", "macroAvg"))
    return {
        "corpus": name,
        "train": len(train),
        "test": len(test),
        "parameters": known,
        "micro": 100 * report.micro.f1,
        "micro_interval": micro,
        "macro": 100 * report.macro.f1,
        "macro_interval": macro,
        "accuracy": 100 * report.accuracy,
        "epochs": len([words for words in epochs if "pass" in words]),
        "fit_s": fitted - started,
        "predict_s": done - fitted,
        "model_mb": size / 1e6,
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        **({} if options.baseline else device_facts()),
    }


def device_facts() -> dict[str, Any]:
    """Return the device, its memory used at most, and the versions."""
    import torch

    gpu = torch.cuda.is_available()
    return {
        "device": torch.cuda.get_device_name() if gpu else f"CPU, {torch.get_num_threads()} threads",
        "device_mb": torch.cuda.max_memory_allocated() / 1e6 if gpu else 0.0,
        "torch": torch.__version__,
        "transformers": _version("transformers"),
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def line(row: dict[str, Any]) -> str:
    """Return the row of a table."""
    low, high = row["micro_interval"]
    macro_low, macro_high = row["macro_interval"]
    return (
        f"{row['corpus']:13} micro F1 {row['micro']:5.2f} [{low:.1f}, {high:.1f}]  "
        f"macro F1 {row['macro']:5.2f} [{macro_low:.1f}, {macro_high:.1f}]  exact {row['accuracy']:5.2f}  "
        f"epochs {row['epochs']:2}  fit {row['fit_s']:6.1f} s  predict {row['predict_s']:5.1f} s  "
        f"model {row['model_mb']:5.1f} MB  device {row.get('device_mb', 0):5.0f} MB  peak {row['memory_mb']:5.0f} MB"
    )


def _measure_into(name: str, options: argparse.Namespace, queue: Any) -> None:
    queue.put(measure(name, options))


def main() -> None:
    """Print one line per corpus."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("corpora", nargs="*", metavar="corpus", help=" ".join(_ORDER))
    default = Path(os.environ.get("ANNOTARIUM_CORPORA", ROOT.parent / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=default, help="folder of the corpora")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a learner's parameter, JSON")
    parser.add_argument("--sample", type=int, default=0, help="number of training and of test documents")
    parser.add_argument("--held-back", action="store_true", help="test on a tenth of the training part")
    parser.add_argument("--baseline", action="store_true", help="the default learner instead")
    parser.add_argument("--json", type=Path, help="append the rows to a file, one JSON object a line")
    options = parser.parse_args()
    if unknown := set(options.corpora) - set(_ORDER):
        parser.error(f"no such corpus: {', '.join(sorted(unknown))}")
    if not options.baseline and find_spec("torch") is None:
        print("skipped: the extra transformers is not installed")
        return
    options.parameters = {}
    for setting in options.set:
        name, _, value = setting.partition("=")
        options.parameters[name] = json.loads(value) if value[:1] in "0123456789{[tf" else value
    context = multiprocessing.get_context("spawn")
    for name in options.corpora or _ORDER:
        queue = context.Queue()
        process = context.Process(target=_measure_into, args=(name, options, queue))
        process.start()
        while process.is_alive() and queue.empty():
            process.join(0.2)
        if queue.empty():
            raise SystemExit(f"{name}: the process ended with {process.exitcode}")
        row = queue.get()
        process.join()
        print(line(row), flush=True)
        if options.json:
            with options.json.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
