"""An export equals what was imported, and an import equals what was exported (lossless in both directions)."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.hypothesis_example_count import hypothesis_example_count
from support.real_corpora import entity_documents

PIECES = [
    "a",
    "é",
    "e\u0301",
    "😀",
    "👩‍👩‍👧",
    "\r\n",
    "\n",
    " ",
    "שלום",
    "مرحبا",
    "你好",
    "𝔘",
    "\u2028",
    "x\u0000"[:1],
    "क्षि",
    "\ufeff",
    ".",
]


def create(caller: Any, label: str = "Trip") -> str:
    name: str = caller.post("/api/projects", json={"label": label}).json()["projectName"]
    return name


def load(caller: Any, project: str, content: bytes) -> dict[str, Any]:
    path = f"/api/projects/{project}/documents/_import_documents?wait=true"
    job: dict[str, Any] = caller.post(path, content=content).json()
    assert job["status"] == "COMPLETED", job
    return job


def export(caller: Any, project: str) -> list[dict[str, Any]]:
    documents: list[dict[str, Any]] = caller.get(f"/api/projects/{project}/documents").json()
    return documents


ANEW = ("version", "importedBy", "importedDate")


def bare(document: dict[str, Any]) -> dict[str, Any]:
    """A document without the values that each import creates; relations by the positions of their annotations."""
    kept = {key: value for key, value in document.items() if key not in (*ANEW, "createdDate", "modifiedDate")}
    places = {one.get("identifier"): place for place, one in enumerate(document["annotations"])}
    if "relations" in kept:
        kept["relations"] = [_linked(one, places) for one in kept["relations"]]
    kept["annotations"] = [_bare(one) for one in document["annotations"]]
    kept["categories"] = [_bare(one) for one in document["categories"]]
    kept["sentences"] = [
        one | {"categories": [_bare(category) for category in one["categories"]]} if "categories" in one else one
        for one in document["sentences"]
    ]
    return kept


def _bare(labelled: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in labelled.items() if key not in (*ANEW, "identifier", "fragmentsText")}


def _linked(relation: dict[str, Any], places: dict[Any, int]) -> dict[str, Any]:
    own = {key: value for key, value in relation.items() if key not in (*ANEW, "identifier", "documentIdentifier")}
    return own | {"source": places[relation["source"]], "target": places[relation["target"]]}


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    text = "".join(draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=40))) + "!"
    offsets = st.integers(0, len(text))
    labelled: dict[str, Any] = {
        "labelName": draw(st.sampled_from(["per", "Org-1", "Ünï", "日本"])),
        "createdBy": "someone",
        "createdDate": "2024-01-02T03:04:05.678Z",
        "modifiedDate": "2024-02-03T04:05:06.789Z",
    }

    def one() -> dict[str, Any]:
        found = dict(labelled)
        status = draw(st.sampled_from([None, "OK", "KO"]))
        mode = draw(st.sampled_from([None, "manual", "automatic", "undefined"]))
        score = draw(st.none() | st.floats(0, 1))
        found |= {
            key: value
            for key, value in (("status", status), ("creationMode", mode), ("score", score))
            if value is not None
        }
        if draw(st.booleans()):
            found["properties"] = {"kbId": "Q1", "nested": {"a": [1, None]}}
        return found

    annotations = []
    for _ in range(draw(st.integers(0, 8))):
        start, end = sorted((draw(offsets), draw(offsets)))
        if start < end:
            annotation = one() | {"start": start, "end": end, "text": text[start:end]}
            if end - start > 2 and draw(st.booleans()):
                gap = draw(st.integers(start + 1, end - 2))
                annotation["fragments"] = [[start, gap], [draw(st.integers(gap + 1, end - 1)), end]]
            if draw(st.booleans()):
                annotation["terms"] = [{"identifier": "t", "lexicon": "l", "score": 0.5, "properties": {"x": "😀"}}]
            annotations.append(annotation)
    annotations.sort(key=lambda item: (item["start"], item["end"]))
    for number, annotation in enumerate(annotations):
        annotation["identifier"] = f"a{number}"
    relations: dict[Any, dict[str, Any]] = {}
    for _ in range(draw(st.integers(0, 4)) if len(annotations) > 1 else 0):
        source, target = draw(st.permutations(range(len(annotations))))[:2]
        name = draw(st.sampled_from(["works for", "مكان", "a/b"]))
        made = {"name": name, "source": f"a{source}", "target": f"a{target}"}
        made |= {key: labelled[key] for key in ("createdBy", "createdDate", "modifiedDate")}
        relations[name, source, target] = made | ({"properties": {"x": [1, "😀"]}} if draw(st.booleans()) else {})
    middle = draw(st.integers(1, len(text)))
    sentences: list[dict[str, Any]] = [{"start": 0, "end": middle, "metadata": {"n": 1}}]
    if middle < len(text):
        sentences.append({"start": middle, "end": len(text), "categories": [one()]})
    return {
        "identifier": draw(st.text(st.sampled_from("ab/é 😀%#?"), min_size=1, max_size=8).filter(str.strip)),
        "title": draw(st.sampled_from(["T", "título 😀"])),
        "text": text,
        "metadata": draw(st.dictionaries(st.sampled_from(["a", "é"]), st.sampled_from(["v", 1, 1.5, True, ["x", 2]]))),
        "annotations": annotations,
        **({"relations": list(relations.values())} if relations else {}),
        "categories": [one() for _ in range(draw(st.integers(0, 2)))],
        "sentences": sentences,
        "altTexts": draw(st.sampled_from([[], [{"name": "réponse", "text": "ok 😀"}]])),
        "createdBy": "author",
        "reviewed": draw(st.booleans()),
    }


@settings(
    max_examples=hypothesis_example_count(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(document=documents())
def test_export_then_import_is_identity(marie: Any, document: dict[str, Any]) -> None:
    first, second = create(marie), create(marie)
    load(marie, first, json.dumps([document]).encode())
    out = export(marie, first)
    assert len(out) == 1
    assert bare(out[0]) == bare(document)
    for annotation in out[0]["annotations"]:
        assert out[0]["text"][annotation["start"] : annotation["end"]] == annotation["text"]
        if "fragments" in annotation:
            texts = [out[0]["text"][start:end] for start, end in annotation["fragments"]]
            assert annotation["fragmentsText"] == texts
    load(marie, second, json.dumps(out).encode())
    again = export(marie, second)
    assert bare(again[0]) == bare(out[0])
    for one, other in zip(out[0]["annotations"], again[0]["annotations"], strict=True):
        assert (one["createdDate"], one["modifiedDate"]) == (other["createdDate"], other["modifiedDate"])
    for name in (first, second):
        marie.delete(f"/api/projects/{name}")


def test_exported_corpus_equals_the_imported_one(marie: Any, tmp_path: Path) -> None:
    """WNUT-17 (emerging entities in tweets), or similar samples: 1,000 sentences with emoji and unusual white space."""
    given = entity_documents(1000)
    project = create(marie)
    job = load(marie, project, json.dumps(given).encode())
    assert job["statusMessage"] == f"{len(given):,} imported of {len(given):,} received"
    out = export(marie, project)
    assert len(out) == len(given)
    for one, other in zip(given, out, strict=True):
        assert one["text"] == other["text"]
        spans = [(span["start"], span["end"], span["text"], span["labelName"]) for span in one["annotations"]]
        found = [(span["start"], span["end"], span["text"], span["labelName"]) for span in other["annotations"]]
        assert sorted(spans) == sorted(found)
    bean = marie.get(f"/api/projects/{project}/_info?computeMetrics=true").json()
    assert bean["documents"] == len(given)
    assert bean["annotations"] == sum(len(one["annotations"]) for one in given)


def test_output_fields_and_limit(marie: Any) -> None:
    project = create(marie)
    load(marie, project, json.dumps([{"identifier": str(n), "title": "t", "text": "x"} for n in range(250)]).encode())
    path = f"/api/projects/{project}/documents"
    assert [one["identifier"] for one in marie.get(path, params={"limit": 120}).json()] == [str(n) for n in range(120)]
    only = marie.get(path, params={"limit": 1, "outputFields": "title,metadata"}).json()[0]
    assert set(only) == {"identifier", "title", "metadata"}
    without = marie.get(path, params={"limit": 1, "outputFields": "!text,!sentences"}).json()[0]
    assert {"text", "sentences"}.isdisjoint(without)
    assert {"title", "annotations", "categories"} <= set(without)
    assert len(marie.post(f"{path}/_sample?sampleSize=7").json()) == 7


def test_deletion_and_tags(marie: Any, as_user: Any, client: Any) -> None:
    project = create(marie)
    load(
        marie, project, json.dumps([{"identifier": "a/b", "title": "t", "text": "x", "metadata": {"k": "v"}}]).encode()
    )
    path = f"/api/projects/{project}/documents"
    assert marie.post(f"{path}/_tag", params={"identifier": "a/b"}, json={"name": "n", "value": "1"}).status_code == 204
    assert marie.get(f"{path}/a%2Fb").json()["metadata"] == {"k": "v", "n": "1"}
    assert marie.post(f"{path}/_tag", params={"identifier": "a/b"}, json={"name": "k", "value": ""}).status_code == 204
    assert marie.get(f"{path}/a%2Fb").json()["metadata"] == {"n": "1"}
    assert marie.post(f"{path}/_tag", params={"identifier": "no"}, json={"name": "k", "value": ""}).status_code == 404
    assert marie.delete(f"{path}/a%2Fb", headers={"If-Match": '"1"'}).status_code == 412
    reader = as_user(client, "rita", "Reader")
    assert reader.delete(f"{path}/a%2Fb").status_code == 404
    assert marie.delete(f"{path}/a%2Fb").json() == {"ok": True}
    assert marie.get(f"{path}/a%2Fb").status_code == 404
    assert marie.delete(f"{path}/a%2Fb").status_code == 404


def test_dataset_contains_what_users_labelled(marie: Any) -> None:
    """Segments in the dataset, with offsets relative to the segment."""
    project = create(marie)
    span = {"start": 5, "end": 8, "text": "Two", "labelName": "n"}
    given = [
        {"identifier": "a", "title": "A", "text": "One. Two.", "annotations": [span]},
        {"identifier": "b", "title": "B", "text": "One. Two.", "annotations": [span | {"status": "KO"}]},
        {"identifier": "c", "title": "C", "text": "One. Two.", "annotations": [span | {"creationMode": "automatic"}]},
        {"identifier": "d", "title": "D", "text": "One. Two.", "categories": [{"labelName": "k"}]},
    ]
    load(marie, project, json.dumps(given).encode())
    segments = marie.get(f"/api/projects/{project}/dataset").json()
    assert [(one["documentIdentifier"], one["start"], one["text"]) for one in segments] == [
        ("a", 5, "Two."),
        ("d", 0, "One."),
        ("d", 5, "Two."),
    ]
    annotation = segments[0]["annotations"][0]
    assert (annotation["start"], annotation["end"], annotation["text"], segments[0]["shift"]) == (0, 3, "Two", 5)


def test_reading_annotations_of_others_requires_the_permission(as_user: Any, client: Any) -> None:
    """readUserAnnot: without it only the caller's own and automatic annotations are returned (T17)."""
    lena = as_user(client, "lena", "ProjectManager", groups=("editors",))
    pablo = as_user(client, "pablo", "Reader", groups=("editors",))
    project = create(lena)
    base = {"start": 0, "end": 1, "text": "x", "labelName": "n"}
    annotations = [
        base | {"createdBy": "pablo", "creationMode": "manual"},
        base | {"createdBy": "anna", "creationMode": "manual"},
        base | {"createdBy": "crf", "creationMode": "automatic"},
    ]
    load(
        lena, project, json.dumps([{"identifier": "a", "title": "", "text": "x", "annotations": annotations}]).encode()
    )
    share = f"/api/projects/{project}/shares/users?username=pablo"
    assert lena.post(share, json={"read": True, "write": False}).status_code == 204
    path = f"/api/projects/{project}/documents/a"
    assert [one["createdBy"] for one in pablo.get(path).json()["annotations"]] == ["pablo", "crf"]
    assert len(lena.get(path).json()["annotations"]) == 3
    assert pablo.get(f"/api/projects/{project}/documents").status_code == 403
    assert pablo.get(f"/api/projects/{project}/dataset").status_code == 403


def test_long_document_is_read_quickly(marie: Any, open_as: Any) -> None:
    """200 kB with 2,000 spans: the goal is 20 ms; the limit of 200 ms finds a regression on a busy machine too."""
    from sqlalchemy import select

    from annotarium.db.models import Project
    from annotarium.domains.documents.loader import load_documents
    from annotarium.domains.documents.repository import find_document_id

    project = create(marie)
    text = "word " * 40_000
    spans = [{"start": n * 100, "end": n * 100 + 4, "text": "word", "labelName": "w"} for n in range(2_000)]
    load(marie, project, json.dumps([{"identifier": "long", "title": "", "text": text, "annotations": spans}]).encode())
    with open_as("marie", write=False) as call:
        row = call.session.scalars(select(Project).where(Project.name == project)).one()
    with open_as("marie", row, write=False) as call:
        identifier = find_document_id(call, "long")
        durations = []
        for _ in range(5):
            begin = time.thread_time()
            document = load_documents(call, [identifier])[identifier]
            durations.append(time.thread_time() - begin)
    assert len(document["annotations"]) == 2_000
    print(f"read in {min(durations) * 1000:.1f} ms")
    assert min(durations) < 0.2
