"""Small files that would keep a converter busy: the cost of each is bounded by its size, and that of many by a count.

The files are read in the converter process, with the limits of an import; a file stopped at a limit is counted.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from support.hostile_files import FILES, MEBIBYTE
from support.hostile_test_sizes import hostile_test_size

from annotarium.content.segmentation import SegmentFunction
from annotarium.content.segmenter_choice import SegmenterChoice, build_segmenter
from annotarium.content.validation import InvalidContent
from annotarium.domains.imports.converters import build_converter, converter_name_for_extension
from annotarium.importing.convert import (
    STOPS_BEFORE_GIVING_UP,
    STOPS_BEFORE_TIGHT_LIMITS,
    ConversionLimits,
    ConversionTask,
    ConverterProcess,
    RefusedItem,
)
from annotarium.importing.document_preparation import PreparedDocument, PrepareOptions, prepare_document
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.parameters import NoParameters
from annotarium_schemas.documents import Document

LIMITS = ConversionLimits(processor=hostile_test_size(5, 20), wall=120)


def finish(document: Document) -> PreparedDocument:
    """Prepare a document as an import does."""
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
    """T03: processor time and output grow linearly with the size of a file, not with its square."""
    content = FILES[name]()
    path = tmp_path / name
    path.write_bytes(content)
    component = converter_name_for_extension(name.rpartition(".")[2])
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
    """T03: a base and an amount per megabyte, up to the maximum of any file."""
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
    """Kills its process, unless its name is `good`."""

    def __init__(self, name: str) -> None:
        super().__init__(NoParameters())
        self.name = name

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        if self.name == "crashes":
            os.kill(os.getpid(), signal.SIGKILL)
        yield Document(identifier="good", title="", text="Some text.")


def test_an_import_gives_up_after_several_consecutive_stopped_files() -> None:
    """An archive of n such files does not cost n times the limit: the rest are refused unread, with a message."""
    plain = partial(prepare_document, options=PrepareOptions(policy="no_segmentation"), segment=lambda text, _: [])
    with ConverterProcess(lambda name, _: Crashing(name), plain) as process:
        messages: list[Any] = []
        for number in range(hostile_test_size(30, 1_000)):
            try:
                list(process.convert(ConversionTask("crashes", "/nowhere", f"{number}.x", None, "en", str(number))))
            except InvalidContent as error:
                messages.append(error.message)
            if number == STOPS_BEFORE_GIVING_UP - 2:
                assert len(list(process.convert(ConversionTask("good", "/nowhere", "g.x", None, "en", "g")))) == 1
        assert process.stopped == STOPS_BEFORE_GIVING_UP
        assert len([one for one in messages if one.code == "file.givenUp"]) == len(messages) - STOPS_BEFORE_GIVING_UP


def test_errors_of_a_file_are_listed_up_to_a_thousand_then_summed(tmp_path: Path) -> None:
    """The errors that the converter process sends are bounded too; later documents keep their position."""
    path = tmp_path / "a.json"
    path.write_bytes(b"[" + b"{}," * 5_000 + b'{"text":"good"},' + b"{}," * 5_000 + b"{}]")
    with ConverterProcess(build_converter, finish, LIMITS) as process:
        found = list(process.convert(ConversionTask("json", str(path), "a.json", None, "en", "a")))
    faults = [one for one in found if isinstance(one, RefusedItem)]
    assert sum(one.count for one in faults) == 10_001
    assert len(faults) <= 1_002
    assert [one.summed for one in faults[:1_000]] == [False] * 1_000
    assert [one.text for one in found if isinstance(one, PreparedDocument)] == ["good"]
