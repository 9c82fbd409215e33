"""The converter process: its limits, its deaths, and that the next file is read regardless."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotarium.content.validation import InvalidContent
from annotarium.importing.convert import ConversionLimits, ConversionTask, ConverterProcess, RefusedItem
from annotarium.importing.document_preparation import PreparedDocument, PrepareOptions, prepare_document
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.parameters import NoParameters
from annotarium_schemas.documents import Document

MEBIBYTE = 1 << 20
Behaviour = Callable[[], Iterator[Document | ItemError]]


def one(identifier: str = "a", text: str = "Some text.") -> Document:
    return Document(identifier=identifier, title="", text=text)


def well() -> Iterator[Document | ItemError]:
    yield one()


def endless() -> Iterator[Document | ItemError]:
    yield one()
    while True:
        pass


def silent() -> Iterator[Document | ItemError]:
    yield one()
    signal.pause()


def greedy() -> Iterator[Document | ItemError]:
    yield one()
    yield one("b", "x" * (700 * MEBIBYTE))


def killed() -> Iterator[Document | ItemError]:
    yield one()
    os.kill(os.getpid(), signal.SIGSEGV)


def explains() -> Iterator[Document | ItemError]:
    raise ComponentError("The file is locked.", cause="It asks for a password.", fix="Remove the password")
    yield one()


def raises() -> Iterator[Document | ItemError]:
    yield one()
    raise KeyError("word/document.xml")


def items() -> Iterator[Document | ItemError]:
    yield one()
    yield ItemError("line 2", "It is broken", "Mend it")
    yield one("half", "\ud83d alone")
    yield one("", "No name.")
    yield one("z")


def many() -> Iterator[Document | ItemError]:
    for number in range(100_000):
        yield one(str(number), "x" * 10_000)


BEHAVIOURS: dict[str, Behaviour] = {
    function.__name__: function for function in (well, endless, silent, greedy, killed, explains, raises, items, many)
}


class Scripted(Converter[NoParameters]):
    def __init__(self, name: str) -> None:
        super().__init__(NoParameters())
        self.name = name

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        return BEHAVIOURS[self.name]()


def finish(document: Document) -> PreparedDocument:
    return prepare_document(document, options=PrepareOptions(policy="no_segmentation"), segment=lambda text, _: [])


@pytest.fixture
def process(request: pytest.FixtureRequest) -> Iterator[ConverterProcess]:
    # On a busy machine processor time takes longer on the clock: only the tests of the idle timeout use a short one.
    wall = getattr(request, "param", 6)
    limits = ConversionLimits(memory=300 * MEBIBYTE, processor=1, wall=wall)
    with ConverterProcess(lambda name, _: Scripted(name), finish, limits) as process:
        yield process


def task(component: str) -> ConversionTask:
    return ConversionTask(component, "/nowhere", "f.txt", None, "en", "key")


@pytest.mark.parametrize(
    ("behaviour", "words", "process"),
    [
        ("endless", "over 1 s of processor time", 60),
        ("silent", "no progress for 6 s", 6),
        ("greedy", "300 MB of memory", 60),
        ("killed", "ended suddenly", 60),
        ("explains", "It asks for a password", 60),
        ("raises", "cannot be read as raises (KeyError)", 60),
    ],
    indirect=["process"],
)
def test_a_failing_file_has_a_message_and_affects_no_other_file(
    process: ConverterProcess, behaviour: str, words: str
) -> None:
    """T03: limits of time and memory; documents read before the failure are kept."""
    found: list[Any] = []
    with pytest.raises(InvalidContent, match=words.replace("(", r"\(").replace(")", r"\)")):
        found.extend(process.convert(task(behaviour)))
    assert [next(process.convert(task("well"))).identifier for _ in range(2)] == ["a", "a"]


def test_items_are_refused_individually_with_their_name(process: ConverterProcess) -> None:
    found = list(process.convert(task("items")))
    assert isinstance(found[0], PreparedDocument)
    assert found[1] == RefusedItem("line 2: It is broken", "Mend it")
    assert isinstance(found[2], RefusedItem)
    assert "surrogate" in found[2].message
    assert isinstance(found[3], PreparedDocument)
    assert len(found[3].identifier) == 24
    again = list(process.convert(task("items")))
    other = list(process.convert(replace(task("items"), key="other")))
    assert found[3] == again[3]
    assert isinstance(other[3], PreparedDocument)
    assert other[3].identifier != found[3].identifier


def test_a_reader_that_stops_leaves_no_process(process: ConverterProcess) -> None:
    """A converter process ahead of its reader waits; one whose reader has stopped ends."""
    documents = process.convert(task("many"))
    for _ in range(10):
        next(documents)
    child = process._pid
    assert int(Path(f"/proc/{child}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") < 1 << 30
    documents.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_converters_have_no_network_access(process: ConverterProcess) -> None:
    """T01."""

    def calls() -> Iterator[Document | ItemError]:
        socket.create_connection(("127.0.0.1", 9), timeout=1)
        yield one()

    BEHAVIOURS["calls"] = calls
    with pytest.raises(InvalidContent, match="PermissionError"):
        list(process.convert(task("calls")))
