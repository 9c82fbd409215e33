from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

HERE = Path(__file__).parent
_SPEC = importlib.util.spec_from_file_location("to_documents", HERE.parent / "to_documents.py")
assert _SPEC is not None
assert _SPEC.loader is not None
to_documents = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(to_documents)


@pytest.fixture(scope="module")
def data(real_data: Path) -> Path:
    return real_data


def exact(documents: list[dict]) -> bool:
    return all(
        one["text"] == document["text"][one["start"] : one["end"]]
        for document in documents
        for one in document["annotations"]
    )


@pytest.mark.parametrize(
    ("name", "documents", "annotations", "tokens"),
    [
        ("wnut17/wnut17train.conll", 3394, 1975, 62730),
        ("wnut17/emerging.dev.conll", 1009, 836, 15733),
        ("wnut17/emerging.test.annotated", 1287, 1079, 23394),
        ("NCBI-disease/test.tsv", 940, 960, 24497),
        ("conll2002-es/esp.testb", 1517, 3559, 51533),
    ],
)
def test_every_sentence_token_and_entity_arrives(
    name: str, documents: int, annotations: int, tokens: int, data: Path
) -> None:
    found = to_documents.conll_documents(data / name, "test")
    assert len(found) == documents
    assert sum(len(one["annotations"]) for one in found) == annotations
    assert sum(len(one["text"].split(" ")) for one in found) == tokens
    assert exact(found)
    assert len({one["identifier"] for one in found}) == documents


def test_several_sentences_a_document_are_lines_with_offsets(data: Path) -> None:
    path = data / "wnut17" / "emerging.dev.conll"
    alone = to_documents.conll_documents(path, "dev")
    tens = to_documents.conll_documents(path, "dev", sentences_per_document=10)
    assert len(tens) == 101
    assert exact(tens)
    assert [one["text"] for one in alone] == [
        document["text"][one["start"] : one["end"]] for document in tens for one in document["sentences"]
    ]
    assert sum(len(one["annotations"]) for one in tens) == 836


def test_odd_lines_of_column_files(tmp_path: Path) -> None:
    path = tmp_path / "odd.conll"
    lines = [
        "-DOCSTART- O",
        "",
        "\U0001f600a\tB-creative-work",
        "b\u2028c\tI-creative-work",
        " \tO",
        "\t",
        "x\tI-a",
        "\u3000\tO",
        "",
    ]
    path.write_bytes("\r\n".join(lines).encode())
    first, second = to_documents.conll_documents(path, "train")
    assert first["text"] == "\U0001f600a b c"
    assert first["annotations"] == [{"start": 0, "end": 6, "text": "\U0001f600a b c", "labelName": "creative_work"}]
    assert second["text"] == "x"
    assert second["annotations"][0]["labelName"] == "a"
    assert second["metadata"] == {"split": "train"}


def test_categories_of_banking77_trec_and_goemotions(data: Path) -> None:
    banking = to_documents.banking77_documents(data / "banking77" / "test.csv", "test")
    assert len(banking) == 3080
    assert len({one["categories"][0]["labelName"] for one in banking}) == 77
    trec = to_documents.trec_documents(data / "trec_qc" / "test.txt", "test")
    assert len(trec) == 500
    assert {one["categories"][0]["labelName"] for one in trec} == {"abbr", "desc", "enty", "hum", "loc", "num"}
    labels = [line for line in to_documents.read_lines(data / "goemotions" / "labels.txt") if line]
    emotions = to_documents.goemotions_documents(data / "goemotions" / "test.tsv", "test", labels)
    assert len(emotions) == 5427
    assert max(len(one["categories"]) for one in emotions) > 1


def test_command_line(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out.json"
    to_documents.main(
        ["trec", str(data / "trec_qc" / "test.txt"), "--split", "test", "--output", str(output), "--name", "trec"]
    )
    documents = json.loads(output.read_text(encoding="utf-8"))
    assert len(documents) == 500
    assert documents[0]["identifier"] == "trec-000001"
    assert "500 documents" in capsys.readouterr().out
