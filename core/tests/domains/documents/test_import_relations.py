"""Imports of relations and of annotations with several fragments: valid ones are imported, invalid ones are reported,
the rest of the document stays.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

TEXT = "Anna \U0001f469\u200d\U0001f469 met Bob in Paris."
SPANS = [
    {"identifier": "a", "start": 0, "end": 4, "labelName": "person"},
    {"identifier": "b", "start": 13, "end": 16, "labelName": "person"},
    {"identifier": "p", "start": 20, "end": 25, "labelName": "place"},
]


def given(*relations: Any, **more: Any) -> dict[str, Any]:
    return {"identifier": "d", "title": "D", "text": TEXT, "annotations": SPANS, "relations": list(relations)} | more


def link(name: str, source: Any, target: Any, **more: Any) -> dict[str, Any]:
    return {"name": name, "source": source, "target": target} | more


def outcome(corpus: Corpus, *documents: Any, **parameters: Any) -> dict[str, Any]:
    job = corpus.add(*documents, **parameters)
    items = corpus.get(f"/job/{job['id']}/items")["items"]
    assert len(items) == 1
    one: dict[str, Any] = items[0]
    return one


def texts(corpus: Corpus, name: str = "d") -> list[tuple[str, str, str]]:
    read = corpus.get(f"/documents/{name}")
    words = {one["identifier"]: one["text"] for one in read["annotations"]}
    return [(words[one["source"]], one["name"], words[one["target"]]) for one in read.get("relations", [])]


def test_invalid_relations_are_reported_and_valid_ones_imported(corpus: Corpus) -> None:
    bad = [
        link("knows", "a", "z"),
        link("knows", "a", "a"),
        link("", "a", "b"),
        link("knows", "a", "b"),
        "no object",
        link("x\x01", {"no": "text"}, "b"),
        link("knows", "b", "p", createdDate="yesterday"),
    ]
    one = outcome(corpus, given(link("knows", "a", "b", properties={"since": 1}), link("in", "b", "p"), *bad))
    assert one["outcome"] == "imported"
    assert texts(corpus) == [("Anna", "knows", "Bob"), ("Bob", "in", "Paris")]
    message = one["message"]
    assert "The relation 'knows' from 'a' to 'z' was left out: there is no annotation 'z'" in message
    assert "both its ends are the same annotation" in message
    assert "its name is empty" in message
    assert "it is a duplicate" in message
    assert "2 more relations were left out" in message
    said = one["said"]["message"]["values"]["parts"]
    assert [part["code"] for part in said] == ["note.relation"] * 5 + ["note.relations"]
    assert {part["text"] for part in said} == set(message.split("; "))
    assert [(name["name"], name["count"]) for name in corpus.get("/relation_names")] == [("knows", 1), ("in", 1)]


def test_relations_follow_annotations_through_corrections_and_cleaning(corpus: Corpus) -> None:
    """UTF-16 offsets, quoted texts, removed tags: fragments are moved, those that become adjacent are merged."""
    utf16 = [dict(one, start=one["start"] + 2, end=one["end"] + 2) for one in SPANS[1:]]
    spans = [dict(SPANS[0], text="Anna"), dict(utf16[0], text="Bob"), dict(utf16[1], text="Paris")]
    wide = {"identifier": "w", "start": 0, "end": 18, "labelName": "pair", "fragments": [[0, 4], [15, 18]]}
    one = outcome(corpus, given(link("knows", "w", "p"), annotations=[*spans, wide]))
    assert "UTF-16" in one["message"]
    found = {item["labelName"]: item for item in corpus.get("/documents/d")["annotations"]}
    assert found["pair"]["fragmentsText"] == ["Anna", "Bob"]
    assert texts(corpus) == [(TEXT[:16], "knows", "Paris")]
    text = "<b>One</b> two <i></i>three <u>four</u>"
    pieces = [
        {"identifier": "x", "start": 3, "end": 14, "labelName": "n", "fragments": [[3, 6], [11, 14]]},
        {"identifier": "y", "start": 0, "end": 27, "labelName": "n", "fragments": [[0, 3], [22, 27]]},
        {"identifier": "z", "start": 11, "end": 27, "labelName": "n", "fragments": [[11, 15], [22, 27]]},
    ]
    corpus.add(document("c", text, annotations=pieces, relations=[link("is", "x", "y")]), cleanText="true")
    read = corpus.get("/documents/c")
    assert read["text"] == "One two three four"
    assert [(one["text"], one.get("fragmentsText")) for one in read["annotations"]] == [
        ("One two", ["One", "two"]),
        ("two three", None),
        ("three", None),
    ]
    assert texts(corpus, "c") == [("One two", "is", "three")]


def test_invalid_fragments_leave_an_annotation_of_one_range(corpus: Corpus) -> None:
    one = outcome(corpus, given(annotations=[SPANS[0] | {"fragments": [[0, 1], [3, 9]]}]))
    assert one["outcome"] == "imported"
    assert (
        "was imported as one span: the first fragment must begin at start, and the last one must end at end"
        in one["message"]
    )
    assert "fragments" not in corpus.get("/documents/d")["annotations"][0]


@pytest.mark.parametrize("format", ["", "json", "jsonl"])
def test_exported_relations_are_imported_unchanged(corpus: Corpus, make_project: Any, format: str) -> None:
    """Crossing and nested spans, one with several fragments, relations in both directions, through a file of each
    format.
    """
    spans = [
        {"identifier": "x", "start": 0, "end": 16, "labelName": "pair", "fragments": [[0, 4], [13, 16]]},
        *SPANS,
        {"identifier": "c", "start": 9, "end": 25, "labelName": "act", "status": "KO"},
    ]
    links = [
        link("knows", "a", "b", properties={"since": [1, "\U0001f469"]}),
        link("knows", "b", "a"),
        link("of", "c", "x"),
    ]
    corpus.add(given(*links, annotations=spans))
    answer = corpus.caller.post(f"{corpus.path}/documents/_search_and_export", params={"format": format})
    assert answer.status_code == 200, answer.text
    other = Corpus(corpus.caller, make_project(lang="en"), corpus.run_jobs)
    name = "corpus.jsonl" if format == "jsonl" else "corpus.json"
    sent = other.caller.post(f"{other.path}/documents", files={"file": (name, answer.content)})
    other.run_jobs()
    assert other.get(f"/job/{sent.json()['id']}")["statusMessage"] == "1 imported of 1 received"
    ours, theirs = (_plain(one.get("/documents/d")) for one in (corpus, other))
    assert ours == theirs
    assert len(ours["relations"]) == 3
    assert [one.get("fragmentsText") for one in ours["annotations"]].count(["Anna", "Bob"]) == 1


def _plain(read: dict[str, Any]) -> dict[str, Any]:
    """A document with the positions of annotations instead of their identifiers."""
    places = {one.pop("identifier"): place for place, one in enumerate(read["annotations"])}
    for one in read["relations"]:
        one.pop("identifier")
        one["source"], one["target"] = places[one["source"]], places[one["target"]]
    return read


def test_ignored_labelling_imports_no_relations(corpus: Corpus) -> None:
    assert outcome(corpus, given(link("knows", "a", "b")), ignoreLabelling=True)["outcome"] == "imported"
    assert "relations" not in corpus.get("/documents/d")
    assert corpus.get("/relation_names") == []


def test_importing_a_document_again_compares_relations(corpus: Corpus) -> None:
    """Replacing a document deletes its relations; a document whose relations were edited by a user is refused."""
    assert outcome(corpus, given(link("knows", "a", "b")))["outcome"] == "imported"
    assert outcome(corpus, given(link("knows", "a", "b")))["outcome"] == "unchanged"
    assert outcome(corpus, given(link("in", "b", "p")))["outcome"] == "replaced"
    assert texts(corpus) == [("Bob", "in", "Paris")]
    assert {one["name"]: one["count"] for one in corpus.get("/relation_names")} == {"knows": 0, "in": 1}
    made = corpus.get("/documents/d")["relations"][0]
    corpus.patch(f"/relations/{made['identifier']}", json={"name": "near"})
    assert outcome(corpus, given(link("knows", "a", "b")))["outcome"] == "refused"
    assert texts(corpus) == [("Bob", "near", "Paris")]


def test_relations_of_doccano_lines_are_imported(corpus: Corpus, client: Any) -> None:
    line = (
        '{"id": 7, "text": "Ann in Rome", "entities": [{"id": 1, "label": "P", "start_offset": 0, "end_offset": 3},'
        ' {"id": 2, "label": "L", "start_offset": 7, "end_offset": 11}], "relations": [{"id": 3, "from_id": 1,'
        ' "to_id": 2, "type": "in"}, {"id": 4, "from_id": 1, "to_id": 9, "type": "in"}]}'
    )
    path = f"{corpus.path}/documents"
    answer = corpus.caller.post(path, files={"file": ("notes.jsonl", line.encode())})
    assert answer.status_code == 200, answer.text
    corpus.run_jobs()
    read = corpus.get("/documents")[0]
    assert texts(corpus, read["identifier"].replace("#", "%23")) == [("Ann", "in", "Rome")]
    assert "relations" not in read["metadata"]
    items = corpus.get(f"/job/{answer.json()['id']}/items")["items"]
    assert "there is no annotation '9'" in items[0]["message"]
