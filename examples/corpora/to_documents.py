"""Converts public corpora to documents that Annotarium imports (JSON, offsets in Unicode code points).

Only the standard library is needed:

    python to_documents.py conll wnut17train.conll --split train --output train.json
    python to_documents.py conll eng.testa --encoding latin-1 --split dev --output dev.json
    python to_documents.py banking77 train.csv --split train --output train.json
    python to_documents.py trec train.txt --split train --output train.json
    python to_documents.py goemotions train.tsv --labels labels.txt --split train --output train.json

The result is a JSON array of documents `{identifier, title, text, metadata: {split}, annotations, categories,
sentences}`, with `reviewed` where every word was annotated or left out deliberately. `annotations` contain `{start,
end, text, labelName}`, `categories` contain `{labelName}`.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Token = tuple[str, str]
"""A token and its BIO tag."""


def read_lines(path: Path, encoding: str = "utf-8") -> list[str]:
    """Return the lines of a file, split at LF only: `splitlines` would also split at U+2028 and U+0085
    inside tokens.
    """
    return [line.removesuffix("\r") for line in path.read_bytes().decode(encoding).split("\n")]


def conll_sentences(lines: Iterable[str]) -> Iterator[list[Token]]:
    """Yield the sentences of a column file: the first column is the token, the last the tag; separated by tabs when the
    line has one, otherwise by spaces.

    A line whose token is empty or white space (WNUT-17 ends sentences with a single tab) ends the sentence when it has
    no tag. With a tag it is a token without visible text, which a document cannot contain: it is dropped.
    """
    sentence: list[Token] = []
    for line in lines:
        columns = line.split("\t") if "\t" in line else line.split(" ")
        word, tag = columns[0].strip(), columns[-1].strip() if len(columns) > 1 else ""
        if word.startswith("-DOCSTART-"):
            continue
        if word and tag:
            sentence.append((" ".join(word.split()), tag))
        elif not tag and sentence:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


def bio_spans(tags: Iterable[str]) -> list[tuple[int, int, str]]:
    """Return the spans `(first, past the last, label)` of BIO tags; an I without a preceding tag of its label starts a
    span.
    """
    spans: list[tuple[int, int, str]] = []
    start, label, index = 0, "", -1
    for index, tag in enumerate(tags):
        kind, _, name = tag.partition("-")
        if label and (kind != "I" or name != label):
            spans.append((start, index, label))
            label = ""
        if kind in ("B", "I") and not label:
            start, label = index, name
    if label:
        spans.append((start, index + 1, label))
    return spans


def sentence_text(sentence: list[Token], offset: int = 0) -> tuple[str, list[Json]]:
    """Return the text of a sentence (tokens joined by a space) and its annotations, shifted by `offset`."""
    starts, position = [], 0
    for word, _ in sentence:
        starts.append(position)
        position += len(word) + 1
    text = " ".join(word for word, _ in sentence)
    annotations = []
    for first, past, label in bio_spans(tag for _, tag in sentence):
        start, end = starts[first], starts[past - 1] + len(sentence[past - 1][0])
        annotations.append(
            {"start": start + offset, "end": end + offset, "text": text[start:end], "labelName": label_name(label)}
        )
    return text, annotations


def label_name(label: str) -> str:
    """Return the label's technical name: lower case, underscores (`creative-work` -> `creative_work`)."""
    return "".join(char if char.isalnum() else "_" for char in label.strip().lower()).strip("_")


def _document(identifier: str, text: str, split: str, **parts: Any) -> Json:
    title = text if len(text) <= 60 else text[:57].rstrip() + "..."
    return {
        "identifier": identifier,
        "title": title.replace("\n", " "),
        "text": text,
        "metadata": {"split": split},
        "annotations": [],
        "categories": [],
        **parts,
    }


def conll_documents(
    path: Path, split: str, *, name: str | None = None, encoding: str = "utf-8", sentences_per_document: int = 1
) -> list[Json]:
    """Return the documents of a CoNLL file with `sentences_per_document` sentences each, one per line, with their
    offsets.
    """
    name = name or path.name
    sentences = list(conll_sentences(read_lines(path, encoding)))
    documents = []
    for first in range(0, len(sentences), sentences_per_document):
        texts, annotations, spans, offset = [], [], [], 0
        for sentence in sentences[first : first + sentences_per_document]:
            text, found = sentence_text(sentence, offset)
            texts.append(text)
            annotations.extend(found)
            spans.append({"start": offset, "end": offset + len(text)})
            offset += len(text) + 1
        number = first // sentences_per_document + 1
        documents.append(
            _document(f"{name}-{number:06d}", "\n".join(texts), split, annotations=annotations, sentences=spans)
            | {"reviewed": True}  # sentences without entities were annotated too
        )
    return documents


def _categorised_documents(name: str, split: str, rows: Iterable[tuple[str, list[str]]]) -> list[Json]:
    kept = ((text.strip(), labels) for text, labels in rows)
    return [
        _document(f"{name}-{number:06d}", text, split, categories=[{"labelName": label_name(one)} for one in labels])
        for number, (text, labels) in enumerate(((text, labels) for text, labels in kept if text), start=1)
    ]


def banking77_documents(path: Path, split: str, *, name: str | None = None, encoding: str = "utf-8") -> list[Json]:
    """Return the documents of a CSV file with the columns `text` and `category`."""
    rows = csv.DictReader(io.StringIO(path.read_bytes().decode(encoding), newline=""))
    return _categorised_documents(name or path.name, split, ((row["text"], [row["category"]]) for row in rows))


def trec_documents(path: Path, split: str, *, name: str | None = None, encoding: str = "latin-1") -> list[Json]:
    """Return the documents of `COARSE:fine question` lines, categorised by the coarse class."""
    pairs = (line.partition(" ") for line in read_lines(path, encoding))
    return _categorised_documents(
        name or path.name, split, ((text, [tag.partition(":")[0]]) for tag, _, text in pairs if tag)
    )


def goemotions_documents(
    path: Path, split: str, labels: list[str], *, name: str | None = None, encoding: str = "utf-8"
) -> list[Json]:
    """Return the documents of `text <tab> comma-separated label numbers <tab> id` lines, with several
    categories each.
    """
    rows = (line.split("\t") for line in read_lines(path, encoding) if line.count("\t") >= 2)
    return _categorised_documents(
        name or path.name, split, ((row[0], [labels[int(number)] for number in row[1].split(",")]) for row in rows)
    )


def convert(options: argparse.Namespace) -> list[Json]:
    """Return the documents for parsed command-line options."""
    encoding = options.encoding or ("latin-1" if options.format == "trec" else "utf-8")
    common: Json = {"name": options.name, "encoding": encoding}
    if options.format == "conll":
        return conll_documents(
            options.file, options.split, sentences_per_document=options.sentences_per_document, **common
        )
    if options.format == "goemotions":
        if options.labels is None:
            raise SystemExit("goemotions needs --labels labels.txt: its lines hold label numbers only.")
        labels = [line for line in read_lines(options.labels, "utf-8") if line]
        return goemotions_documents(options.file, options.split, labels, **common)
    by_format: dict[str, Callable[..., list[Json]]] = {"banking77": banking77_documents, "trec": trec_documents}
    return by_format[options.format](options.file, options.split, **common)


def main(arguments: list[str] | None = None) -> None:
    """Entry point: convert one file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("format", choices=["conll", "banking77", "trec", "goemotions"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--split", choices=["train", "dev", "test"], default="train", help="written to metadata.split")
    parser.add_argument("--output", type=Path, required=True, help="JSON file to write")
    parser.add_argument("--encoding", help="utf-8 by default, latin-1 for trec")
    parser.add_argument("--name", help="prefix of the identifiers; the file name by default")
    parser.add_argument("--sentences-per-document", type=int, default=1)
    parser.add_argument("--labels", type=Path, help="goemotions: the file that names the label numbers")
    options = parser.parse_args(arguments)
    if options.sentences_per_document < 1:
        parser.error("--sentences-per-document must be 1 or more")
    documents = convert(options)
    options.output.write_text(json.dumps(documents, ensure_ascii=False, indent=1), encoding="utf-8")
    print(f"{len(documents)} documents written to {options.output}")


if __name__ == "__main__":
    main()
