"""JSON of any size and quality becomes documents, or errors with an explanation."""

import io
import json
import random
import tracemalloc

import pytest

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.builtin.converters import json_items
from annotarium_plugins.builtin.converters.json_converter import JsonConverter, JsonConverterParameters
from annotarium_plugins.builtin.formatters.json_formatter import JsonFormatter, JsonFormatterParameters
from annotarium_plugins.testing.samples import HOSTILE_TEXTS, linked_document, sequence_documents
from annotarium_schemas.documents import Document


@pytest.fixture
def convert(tmp_path):
    def run(content, **parameters):
        path = tmp_path / "upload"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return list(JsonConverter(JsonConverterParameters(**parameters)).convert(SourceFile(path, "corpus.json")))

    return run


def test_every_field_of_the_published_item_is_read(convert):
    """Every field of the import item of the contract (entities, Document) is read."""
    item = {
        "identifier": "d1",
        "title": "One",
        "text": "Ada wrote. So did I.",
        "metadata": {"year": 1843, "score": 0.5, "new": True, "tags": ["a", "b"]},
        "sentences": [{"start": 0, "end": 10, "metadata": {"page": 1}}],
        "annotations": [
            {
                "start": 0,
                "end": 3,
                "text": "Ada",
                "labelName": "person",
                "labelId": "7",
                "score": 0.9,
                "status": "KO",
                "creationMode": "imported",
                "properties": {"k": [1]},
                "terms": [{"identifier": "t", "lexicon": "people"}],
            }
        ],
        "categories": [{"label": "History", "score": 1, "status": "OK"}],
        "altTexts": [{"name": "fr", "text": "Ada écrivit."}],
        "unknownKey": 1,
    }
    (document,) = convert(json.dumps(item))
    written = document.model_dump(mode="json", exclude_none=True)
    del item["unknownKey"]
    item["annotations"][0]["terms"][0] |= {"lexicon": "people"}
    assert written == item


@pytest.mark.parametrize("parameters", [{}, {"indent": True}, {"lines": True}])
def test_output_of_the_formatter_is_read_back(convert, parameters):
    documents = [
        *sequence_documents(),
        linked_document(),
        *(Document(identifier=str(n), text=t) for n, t in enumerate(HOSTILE_TEXTS)),
    ]
    documents = [document for document in documents if document.text.strip()]
    formatter = JsonFormatter(JsonFormatterParameters(**parameters))
    assert convert(b"".join(formatter.format(documents))) == documents


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (b'{"identifier": "x", "text": NaN}', "NaN"),
        (b'{"text": "a", "metadata": {"k": 1e400}}', "too large"),
        (b'{"text": "a", "metadata": {"k": ' + b"9" * 6000 + b"}}", "too large"),
        (b'{"text": "a", "metadata": {"k": 123456789012345678901}}', "too large: 123456789012345678901"),
        (b'{"text": "\\ud800"}', "surrogate"),
        (b'{"text": "a\\u0000b"}', "text contains a NUL"),
        (b'{"text": "a", "metadata": {"k": ["\\u0000"]}}', "metadata.k.0 contains a NUL"),
        (b'{"text": "a", "p": ' + b"[" * 3000 + b"]" * 3000 + b"}", "nested too deep"),
        (b'{"text": "caf\xe9"}', "The file is not UTF-8. Save it as UTF-8 and drop it again."),
        (b'{"text": "a" "b"}', "not JSON"),
        (b'{"identifier": "x"}', "text is missing"),
        (b'{"text": 5}', "not a string"),
        (b'{"text": " "}', "text is empty"),
        (b"[1]", "not an object"),
        (b'"a, b"', "not an object"),
        (b'{"text": "a", "metadata": {"k": {"deep": 1}}}', "metadata.k: a metadata value is"),
        (b'{"text": "a", "annotations": [{"start": "x", "end": 1}]}', "annotations.0.start"),
        (b'{"text": "a", "annotations": [{"start": 0, "end": 1, "fragments": [[0]]}]}', "annotations.0.fragments"),
        (b'{"text": "a", "relations": "b"}', "relations"),
    ],
)
def test_an_invalid_item_is_reported_and_the_others_are_read(convert, bad, words):
    first, error, last = convert(b'[{"text": "before"},\n' + bad + b', {"text": "after"}]')
    assert (first.text, last.text) == ("before", "after")
    assert isinstance(error, ItemError)
    assert error.item.startswith("item 2")
    assert words in error.message


def test_error_names_the_identifier(convert):
    (error,) = convert('{"identifier": "doc-42", "text": ""}')
    assert error.item == "line 1 (doc-42)"


def test_json_lines_continue_after_an_invalid_line(convert):
    made = convert('{"text": "a"}\n{"text": "b\n\n{"text": "c"}\n')
    assert [item.text if isinstance(item, Document) else item.item for item in made] == ["a", "line 2", "c"]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ('\ufeff{"text": "mark"}', ["mark"]),
        ('{\n "text": "a"\n}\n{\n "text": "b"\n}', ["a", "b"]),
        ('[{"text": "a"},]', ["a"]),
        ('{"text": "123456789012345678901", "metadata": {"k": 9223372036854775807}}', ["123456789012345678901"]),
        ('{"text": "a", "title": null, "annotations": null, "metadata": {"k": null}}', ["a"]),
        ('[{"text": "\\\\u0000 is written, not meant"}]', ["\\u0000 is written, not meant"]),
    ],
)
def test_common_variations_of_the_format_are_read(convert, content, texts):
    assert [document.text for document in convert(content)] == texts


@pytest.mark.parametrize(
    ("content", "words"),
    [('[{"text": "a"}] more', "after the list"), ('[{"text": "a"}, {"text": "b', "ends in the middle")],
)
def test_items_before_a_damaged_end_are_read(convert, content, words):
    document, error = convert(content)
    assert document.text == "a"
    assert words in error.message


@pytest.mark.parametrize("content", [b"", b" \n", b"[]", b"[ ]", '{"text": "a"}'.encode("utf-16")])
def test_nothing_to_import_is_an_error(convert, content):
    """C-051 for the last one."""
    with pytest.raises(ComponentError):
        convert(content)


def test_too_large_item_is_skipped(convert):
    content = json.dumps([{"text": "a"}, {"text": "x" * 1_500_000}, {"text": "b"}])
    first, error, last = convert(content, item_limit=1)
    assert (first.text, last.text) == ("a", "b")
    assert "larger than 1 MB" in error.message
    lines = '{"text": "a"}\n{"text": "' + "x" * 3_000_000 + '"}\n{"text": "b"}'
    assert [isinstance(item, ItemError) for item in convert(lines, item_limit=1)] == [False, True, False]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 64, 1000])
def test_items_are_independent_of_chunk_boundaries(chunk, monkeypatch):
    monkeypatch.setattr(json_items, "CHUNK", chunk)
    choose = random.Random(chunk)
    pieces = ['a"b', "\\", '\\"', "[{]", "é😀", ",,", "}{", "\n", "\\\\"]
    values = [{choose.choice(pieces): choose.choice(pieces) * choose.randint(0, 4), "n": [1, [{}]]} for _ in range(60)]
    for text in (
        json.dumps(values),
        json.dumps(values, indent=1, ensure_ascii=False),
        "\n".join(map(json.dumps, values)),
    ):
        items = json_items.ItemScanner(io.BytesIO(text.encode()), 1 << 20).items()
        assert [json.loads(item.content) for item in items] == values


def test_memory_use_is_bounded(tmp_path):
    """A 40 MB list is read with a few megabytes of memory."""
    path = tmp_path / "large.json"
    with path.open("w") as file:
        item = json.dumps({"text": "word " * 400, "metadata": {"n": [1, 2]}})
        file.write("[" + ",".join([item] * 20_000) + "]")
    converter = JsonConverter(JsonConverterParameters())
    tracemalloc.start()
    count = sum(1 for _ in converter.convert(SourceFile(path, "large.json")))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 8_000_000, f"{peak / 1e6:.0f} MB for a file of {path.stat().st_size / 1e6:.0f} MB"
