"""Speed, memory and quality of the dictionary gazetteer, and what it adds to the CRF learner.

    nice python core/bench/gazetteers.py [synthetic doid crf] [--terms 1000000] [--data FOLDER]

`synthetic`: many made-up terms of one to four words: seconds to build, to save and to load, memory, MB of text per
second. `doid`: the disease ontology on the abstracts of NCBI-disease, strict spans: with the defaults, and with the
settings that are best on the development part. `crf`: the learner with and without the dictionary switch.
"""

from __future__ import annotations

import argparse
import csv
import gc
import itertools
import os
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from learning import CORPORA, evaluate_predictions, load_corpus_converters

from annotarium_engines.gazetteers.dictionary_gazetteer import DictionaryGazetteer
from annotarium_engines.gazetteers.gazetteer_parameters import DictionaryGazetteerParameters
from annotarium_engines.learners.crf_learner import CrfLearner, CrfLearnerParameters
from annotarium_schemas.documents import Document, Term

ROOT = Path(__file__).parents[2]
MEGABYTE = 1_000_000
_SYLLABLES = [
    "ba",
    "be",
    "bi",
    "bo",
    "bu",
    "da",
    "de",
    "di",
    "do",
    "du",
    "ka",
    "ke",
    "ki",
    "ko",
    "ku",
    "la",
    "le",
    "li",
    "lo",
    "lu",
    "ma",
    "me",
    "mi",
    "mo",
    "mu",
    "na",
    "ne",
    "ni",
    "no",
    "nu",
    "ra",
    "re",
    "ri",
    "ro",
]
GRID = {
    "variants": ["none", "plural", "stem"],
    "fold_diacritics": [False, True],
    "ignore_hyphens": [False, True],
    "acronyms": [False, True],
    "minimum_length": [2, 3, 4],
}


def resident_memory() -> float:
    """Return the resident memory of this process in MB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


def reset_peak_memory() -> Callable[[], float]:
    """Return a function that returns the highest resident memory of this process from now on in MB."""
    Path("/proc/self/clear_refs").write_text("5")

    def peak() -> float:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
        return int(found[1]) * 1024 / MEGABYTE if found else 0.0

    return peak


class _Timed:
    """Passes terms on and measures the processor time that drawing them takes."""

    def __init__(self, terms: Iterator[Term]) -> None:
        self._terms, self.seconds = terms, 0.0

    def __iter__(self) -> Iterator[Term]:
        while chunk := self._draw():
            yield from chunk

    def _draw(self) -> list[Term]:
        started = time.process_time()
        chunk = list(itertools.islice(self._terms, 1_000))
        self.seconds += time.process_time() - started
        return chunk


def made_up_vocabulary(count: int) -> list[str]:
    """Return different words of two to five syllables."""
    draw = random.Random(1)
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(draw.choices(_SYLLABLES, k=draw.randint(2, 5)))] = None
    return list(found)


def made_up_terms(words: list[str], count: int) -> Iterator[Term]:
    """Yield terms of one to four words; the words of single-word terms are in no text but as terms."""
    draw = random.Random(2)
    alone, common = words[: len(words) // 5], words[len(words) // 5 :]
    for number in range(count):
        size = draw.choices((1, 2, 3, 4), (10, 40, 35, 15))[0]
        parts = [draw.choice(alone)] if size == 1 else draw.choices(common, k=size)
        yield Term(identifier=f"T{number:07}", lexicon="made_up", preferred_form=" ".join(parts))


def made_up_texts(words: list[str], terms: int, size: int) -> list[str]:
    """Return texts of about 2,000 characters, `size` in all; about one word in fifteen begins a term."""
    draw = random.Random(3)
    forms = [one.preferred_form or "" for one in itertools.islice(made_up_terms(words, terms), 50_000)]
    common = words[len(words) // 5 :]
    texts = []
    while size > 0:
        parts = [draw.choice(forms) if draw.random() < 1 / 15 else draw.choice(common) for _ in range(300)]
        texts.append(" ".join(parts).capitalize() + ".")
        size -= len(texts[-1])
    return texts


def measure_synthetic(count: int) -> None:
    """Print what it costs to build and to use a dictionary of many terms."""
    words = made_up_vocabulary(200_000)
    texts = made_up_texts(words, count, 3 * MEGABYTE)
    gazetteer = DictionaryGazetteer(DictionaryGazetteerParameters(variants="none"))
    gazetteer.synchronize(made_up_terms(words, 100), language="en")
    before, peak = resident_memory(), reset_peak_memory()
    drawn = _Timed(made_up_terms(words, count))
    started = time.process_time()
    gazetteer.synchronize(drawn, language="en")
    built = time.process_time() - started - drawn.seconds
    grown = f"memory {resident_memory() - before:5.0f} MB, {peak() - before:5.0f} MB at its peak"
    print(f"build     {built:6.1f} s  {count / built:9,.0f} terms/s  {grown}", flush=True)
    _measure_annotating(gazetteer, texts, "annotate")
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        gazetteer.save(Path(folder))
        saved = time.process_time() - started
        size = sum(path.stat().st_size for path in Path(folder).iterdir()) / MEGABYTE
        loaded = DictionaryGazetteer(gazetteer.parameters)
        started = time.process_time()
        loaded.load(Path(folder))
        print(f"files     {size:6.1f} MB  save {saved:4.1f} s  load {time.process_time() - started:4.2f} s", flush=True)
        _measure_annotating(loaded, texts, "loaded")


def _measure_annotating(gazetteer: DictionaryGazetteer, texts: list[str], name: str) -> None:
    documents = [Document(identifier=str(number), text=text) for number, text in enumerate(texts)]
    size = sum(len(text.encode()) for text in texts) / MEGABYTE
    started = time.process_time()
    matches = sum(map(len, gazetteer.find(texts)))
    found = time.process_time() - started
    started = time.process_time()
    annotations = sum(len(one.annotations) for one in gazetteer.annotate(documents, "en"))
    annotated = time.process_time() - started
    assert matches == annotations
    rates = f"{size / annotated:6.1f} MB/s  {size / found:.1f} without annotations"
    print(f"{name:9} {rates}  {matches:,} matches", flush=True)


def disease_terms(data: Path) -> list[Term]:
    """Return the names of the ontology, with the exact synonyms of its cancer part."""
    synonyms: dict[str, list[str]] = {}
    for block in (data / "doid/DO_cancer_slim.obo").read_text(encoding="utf-8").split("\n[Term]\n")[1:]:
        identifier = re.search(r"^id: (\S+)", block, re.MULTILINE)
        if identifier:
            synonyms[identifier[1]] = re.findall(r'^synonym: "((?:[^"\\]|\\.)*)" EXACT', block, re.MULTILINE)
    with (data / "doid/HumanDO.tsv").open(encoding="utf-8", newline="") as file:
        rows = {row["id"]: row["label"] for row in csv.DictReader(file, delimiter="\t") if row["label"]}
    return [
        Term(identifier=key, lexicon="disease", preferred_form=name, properties={"altForms": synonyms.get(key, [])})
        for key, name in rows.items()
    ]


def thesaurus_terms(data: Path) -> list[Term]:
    """Return the English labels of the UNESCO thesaurus."""
    text = (data / "unesco-thesaurus/unescothes.ttl").read_text(encoding="utf-8")
    labels = dict.fromkeys(re.findall(r'"((?:[^"\\\n]|\\.)*)"@en', text))
    return [Term(identifier=str(n), lexicon="subject", preferred_form=one) for n, one in enumerate(labels)]


def synchronized(terms: list[Term], **parameters: Any) -> DictionaryGazetteer:
    """Return a gazetteer of the terms."""
    gazetteer = DictionaryGazetteer(DictionaryGazetteerParameters.model_validate(parameters))
    gazetteer.synchronize(terms, language="en")
    return gazetteer


def _quality(gold: list[Document], gazetteer: DictionaryGazetteer) -> Any:
    bare = [one.model_copy(update={"annotations": []}) for one in gold]
    return evaluate_predictions(gold, list(gazetteer.annotate(bare, "en"))).micro


def measure_doid(data: Path) -> None:
    """Print precision, recall and F1 on the test part."""
    tool, terms = load_corpus_converters(), disease_terms(data)
    folder = data / "NCBI-disease"
    parts = [tool.conll_documents(folder / name, name) for name in ("devel.tsv", "test.tsv")]
    devel, test = ([Document.model_validate(one) for one in part] for part in parts)
    combinations = [dict(zip(GRID, values, strict=True)) for values in itertools.product(*GRID.values())]
    best = max(combinations, key=lambda one: _quality(devel, synchronized(terms, **one)).f1)
    for name, parameters in (("defaults", {}), ("best", best)):
        micro = _quality(test, synchronized(terms, **parameters))
        figures = f"P {100 * micro.precision:5.2f}  R {100 * micro.recall:5.2f}  F1 {100 * micro.f1:5.2f}"
        print(f"doid, {name:9} {figures}  {parameters or ''}")


def measure_crf(data: Path) -> None:
    """Print the quality of the learner with and without a dictionary, trained with all and with few documents."""
    for name, terms in (("ncbi", disease_terms(data)), ("wnut17", thesaurus_terms(data))):
        corpus = CORPORA[name]
        rows = corpus.read(load_corpus_converters(), data)
        train, test = ([Document.model_validate(one) for one in part] for part in rows)
        labels = sorted({one.label_name for document in train for one in document.annotations if one.label_name})
        for share, switch in itertools.product((1, 20), (False, True)):
            part = train[::share]
            learner = CrfLearner(CrfLearnerParameters(dictionaries=switch))
            learner.use_gazetteers([synchronized(terms, variants="plural")])
            started = time.process_time()
            learner.fit(part, labels=labels, language="en")
            fitted = time.process_time() - started
            micro = evaluate_predictions(test, list(learner.predict(test, "en"))).micro
            figures = f"P {100 * micro.precision:5.2f}  R {100 * micro.recall:5.2f}  F1 {100 * micro.f1:5.2f}"
            trained = f"{len(part):5,} documents  {'with' if switch else 'without':8}"
            print(f"crf, {name:7} {trained} {figures}  fit {fitted:5.1f} s", flush=True)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="part", help="synthetic doid crf; all by default")
    parser.add_argument("--terms", type=int, default=1_000_000, help="number of made-up terms")
    default = Path(os.environ.get("ANNOTARIUM_CORPORA", ROOT.parent / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=default, help="folder of the corpora")
    options = parser.parse_args()
    parts = options.parts or ["synthetic", "doid", "crf"]
    if "synthetic" in parts:
        measure_synthetic(options.terms)
    if "doid" in parts:
        measure_doid(options.data)
    if "crf" in parts:
        measure_crf(options.data)


if __name__ == "__main__":
    main()
