"""The built-in components fulfil the contracts that third parties are tested with."""

from typing import ClassVar

from annotarium_plugins.builtin.converters.json_converter import JsonConverter
from annotarium_plugins.builtin.converters.txt_converter import TxtConverter
from annotarium_plugins.builtin.formatters.json_formatter import JsonFormatter
from annotarium_plugins.builtin.segmenters.document import DocumentSegmenter
from annotarium_plugins.builtin.segmenters.fixed_window import FixedWindowSegmenter
from annotarium_plugins.builtin.segmenters.paragraph import ParagraphSegmenter
from annotarium_plugins.builtin.segmenters.regex import RegexSegmenter
from annotarium_plugins.builtin.segmenters.rule_sentence import RuleSentenceSegmenter
from annotarium_plugins.testing import ConverterContract, FormatterContract, SegmenterContract

SAMPLE = (
    '[{"identifier": "d1", "title": "One", "text": "Ada Lovelace wrote.", "metadata": {"year": 1843, "tags": ["a"]},'
    ' "annotations": [{"start": 0, "end": 12, "text": "Ada Lovelace", "labelName": "person"}],'
    ' "categories": [{"labelName": "history"}], "sentences": [{"start": 0, "end": 19}],'
    ' "altTexts": [{"name": "fr", "text": "Ada Lovelace a écrit."}]},\n {"title": "Two", "text": "Second, «é»."}]'
).encode()


class TestJsonConverter(ConverterContract):
    component = JsonConverter
    sample = SAMPLE
    sample_name = "corpus.json"


class TestTxtConverter(ConverterContract):
    component = TxtConverter
    sample = "Some text — with é.\r\nSecond line.".encode()
    sample_name = "note.txt"


class TestJsonFormatter(FormatterContract):
    component = JsonFormatter


class TestJsonLinesFormatter(FormatterContract):
    component = JsonFormatter
    parameters: ClassVar = {"lines": True}


class TestDocumentSegmenter(SegmenterContract):
    component = DocumentSegmenter


class TestParagraphSegmenter(SegmenterContract):
    component = ParagraphSegmenter


class TestLineSegmenter(SegmenterContract):
    component = ParagraphSegmenter
    parameters: ClassVar = {"separator": "line"}


class TestWordWindowSegmenter(SegmenterContract):
    component = FixedWindowSegmenter
    parameters: ClassVar = {"size": 3}


class TestCharacterWindowSegmenter(SegmenterContract):
    component = FixedWindowSegmenter
    parameters: ClassVar = {"unit": "characters", "size": 7}


class TestRegexSeparatorSegmenter(SegmenterContract):
    component = RegexSegmenter


class TestRegexMatchSegmenter(SegmenterContract):
    component = RegexSegmenter
    parameters: ClassVar = {"pattern": r"\w+\W*", "use": "segment", "time_limit": 30}


class TestRuleSentenceSegmenter(SegmenterContract):
    component = RuleSentenceSegmenter


class TestRuleSentenceSegmenterByLine(SegmenterContract):
    component = RuleSentenceSegmenter
    parameters: ClassVar = {"newlines": "always", "max_length": 50}
