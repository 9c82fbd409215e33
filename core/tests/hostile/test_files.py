"""Small files that would keep a converter busy: what each may cost is bounded by its size, and by those before it.

The files run through the child that converts, with the limits of an import; a file that is stopped at one is counted.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from support.scale import scale

from annotarium.content.segmentation import SegmentFunction
from annotarium.content.segmenter_choice import SegmenterChoice, build_segmenter
from annotarium.content.validation import InvalidContent
from annotarium.domains.imports.converters import build_converter, converter_for
from annotarium.importing.convert import (
    STOPS_BEFORE_GIVING_UP,
    STOPS_BEFORE_TIGHT_LIMITS,
    ConversionLimits,
    ConversionTask,
    ConverterProcess,
    RefusedItem,
)
from annotarium.importing.prepare import PreparedDocument, PrepareOptions, prepare_document
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.parameters import NoParameters
from annotarium_schemas.documents import Document

SIZE = scale(150_000, 1_000_000)
WHOLE = 1_000_000
"""Of files whose cost was the square of their size: cheap by now, and far over the limit if it comes back."""
MEBIBYTE = 1 << 20


def filled(part: str, before: str = "", after: str = "") -> bytes:
    """As many parts as make a file of `SIZE`."""
    return (before + part * ((SIZE - len(before) - len(after)) // len(part)) + after).encode()


def counted(part: str, before: str = "", after: str = "", join: str = "", size: int = SIZE) -> bytes:
    """The same with parts that hold their number (`%d`)."""
    return (before + join.join(part % number for number in range(size // (len(part) + 4))) + after).encode()


FILES: dict[str, Callable[[], bytes]] = {
    # One tag with all attributes: the parser compares each with those before it.
    "attributes.html": lambda: counted(' a%d="1"', "<p", ">text</p>", size=WHOLE),
    "same_attribute.html": lambda: filled(" a=1", "<p", ">text</p>"),
    "quotes.html": lambda: filled("<a b='", "<p>text"),
    "other_quotes.html": lambda: filled("<a b=\"<a c='", "<p>text"),
    "unclosed_paragraphs.html": lambda: filled("<p>a"),
    "unclosed_styles.html": lambda: filled("<p><b><i>a"),
    "unclosed_divisions.html": lambda: filled("<div>a"),
    "unclosed_cells.html": lambda: filled("<td>a", "<table><tr>"),
    "unclosed_links.html": lambda: filled("<a href=x>a"),
    "closers.html": lambda: filled("</b>", "<p>a"),
    "nul_signs.html": lambda: filled("<p>a\0</p>"),
    "comments.html": lambda: filled("<!--", "<p>a"),
    "entities.html": lambda: filled("&amp;", "<p>a"),
    "word.html": lambda: filled("a", "<p>"),
    "column_spans.html": lambda: filled("<tr><td colspan=1000>a<td>b", "<table>"),
    "nested_tables.html": lambda: filled("<table><tr><td>a</td><td>"),
    "types.html": lambda: filled("<!DOCTYPE", "", "<p>a"),
    "attributes.xml": lambda: counted(' a%d="1"', "<a", ">text</a>", size=WHOLE),
    "deep.xml": lambda: filled("<a>"),
    "elements.xml": lambda: filled("<b/>", "<a>x", "</a>"),
    "parameters.eml": lambda: b"Content-Type: text/plain" + b"; a=b" * (WHOLE // 5) + b"\n\nbody",
    "numbered_parameters.eml": lambda: counted("; a*%d=b", "Content-Type: text/plain", "\n\nbody", size=WHOLE),
    "headers.eml": lambda: filled("X: a\n", "", "\nbody"),
    "addresses.eml": lambda: filled("a@b.c, ", "To: ", "\n\nbody"),
    "brackets.eml": lambda: filled("(", "To: ", "\n\nbody"),
    "parts.eml": lambda: filled("--b\n\na\n", "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"),
    "answers.jsonl": lambda: counted('"%d.suggestion":"x"', '{"text":"a",', "}", ",", WHOLE),
    "spans.jsonl": lambda: counted('[0,1,"%d"]', '{"text":"abc","label":[', "]}", ","),
    "brackets.json": lambda: filled("["),
    "backslashes.json": lambda: filled("\\", '["'),
    "commas.json": lambda: filled(",", "[", "0]"),
    "keys.json": lambda: counted('"k%d":1', '[{"text":"a","metadata":{', "}}]", ","),
    "wrong_places.json": lambda: filled(
        '{"start":5,"end":9,"text":"z","labelName":"a"},',
        '[{"text":"a","annotations":[',
        '{"start":0,"end":1,"labelName":"a"}]}]',
    ),
    "quotes.csv": lambda: filled('"', "text,b\n"),
    "columns.csv": lambda: counted("c%d", "", "\nx", ","),
    "braces.rtf": lambda: filled("{", "{\\rtf1 a"),
    "words.rtf": lambda: filled("\\b", "{\\rtf1 a", "}"),
    "blanks.txt": lambda: filled(" \n", "a"),
    "bytes.txt": lambda: bytes(range(128, 256)) * (SIZE // 128),
}
LIMITS = ConversionLimits(processor=scale(5, 20), wall=120)


def finish(document: Document) -> PreparedDocument:
    """As an import does it."""
    return prepare_document(document, options=PrepareOptions(), segment=_segment())


@cache
def _segment() -> SegmentFunction:
    return build_segmenter(SegmenterChoice())


@pytest.fixture(scope="module")
def process() -> Iterator[ConverterProcess]:
    with ConverterProcess(build_converter, finish, LIMITS) as process:
        yield process


@pytest.mark.parametrize("name", FILES)
def test_no_file_of_a_megabyte_reaches_a_limit(process: ConverterProcess, tmp_path: Path, name: str) -> None:
    """T03: processor time grows with the size of a file, not with its square; what comes of it does too."""
    content = FILES[name]()
    path = tmp_path / name
    path.write_bytes(content)
    component = converter_for(name.rpartition(".")[2])
    assert component is not None
    before = process.stopped
    found: list[PreparedDocument | RefusedItem] = []
    with suppress(InvalidContent):
        found.extend(process.convert(ConversionTask(component, str(path), name, None, "en", name)))
    documents = [one for one in found if isinstance(one, PreparedDocument)]
    characters = sum(len(one.text) + sum(len(str(value)) for value in one.metadata.values()) for one in documents)
    assert process.stopped == before, "stopped at a limit"
    assert characters <= 8 * len(content)
    assert len(found) <= len(content) / 4 + 1
    assert all(len(one.notes) <= 20 and len(one.segments) <= len(one.text) for one in documents)


def test_limits_grow_with_the_file() -> None:
    """T03: base and so much a megabyte, up to what any file may take."""
    most = ConversionLimits()
    small, one, hundred = (most.of_file(size, 0) for size in (1_000, 1_000_000, 100_000_000))
    assert small.processor < one.processor < hundred.processor == most.processor
    assert small.memory < one.memory < hundred.memory == most.memory
    assert one.processor <= 26
    assert most.of_file(1_000, STOPS_BEFORE_TIGHT_LIMITS).processor < small.processor
    assert ConversionLimits(memory=MEBIBYTE, processor=1).of_file(10**9, 0) == ConversionLimits(
        memory=MEBIBYTE, processor=1
    )


class Crashing(Converter[NoParameters]):
    """Ends its process; `good` does not."""

    def __init__(self, name: str) -> None:
        super().__init__(NoParameters())
        self.name = name

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        if self.name == "crashes":
            os.kill(os.getpid(), signal.SIGKILL)
        yield Document(identifier="good", title="", text="Some text.")


def test_an_import_gives_up_on_files_that_are_stopped_one_after_the_other() -> None:
    """An archive of n such files does not cost n times the limit: the rest are refused with words, unread."""
    plain = partial(prepare_document, options=PrepareOptions(policy="no_segmentation"), segment=lambda text, _: [])
    with ConverterProcess(lambda name, _: Crashing(name), plain) as process:
        messages: list[Any] = []
        for number in range(scale(30, 1_000)):
            try:
                list(process.convert(ConversionTask("crashes", "/nowhere", f"{number}.x", None, "en", str(number))))
            except InvalidContent as error:
                messages.append(error.message)
            if number == STOPS_BEFORE_GIVING_UP - 2:
                assert len(list(process.convert(ConversionTask("good", "/nowhere", "g.x", None, "en", "g")))) == 1
        assert process.stopped == STOPS_BEFORE_GIVING_UP
        assert len([one for one in messages if one.code == "file.givenUp"]) == len(messages) - STOPS_BEFORE_GIVING_UP


def test_faults_of_a_file_come_one_by_one_up_to_a_thousand(tmp_path: Path) -> None:
    """What the child tells the import is bounded too; what follows keeps its place."""
    path = tmp_path / "a.json"
    path.write_bytes(b"[" + b"{}," * 5_000 + b'{"text":"good"},' + b"{}," * 5_000 + b"{}]")
    with ConverterProcess(build_converter, finish, LIMITS) as process:
        found = list(process.convert(ConversionTask("json", str(path), "a.json", None, "en", "a")))
    faults = [one for one in found if isinstance(one, RefusedItem)]
    assert sum(one.count for one in faults) == 10_001
    assert len(faults) <= 1_002
    assert [one.summed for one in faults[:1_000]] == [False] * 1_000
    assert [one.text for one in found if isinstance(one, PreparedDocument)] == ["good"]
