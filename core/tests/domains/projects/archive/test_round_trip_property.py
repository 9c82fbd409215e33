"""Any content of a document survives export and import: texts of every kind, nested and crossing spans."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.factories import Corpus
from support.hypothesis_example_count import hypothesis_example_count
from support.project_archives import import_project

CHARACTERS = st.sampled_from(
    ["a", "B", " ", "\t", "\r\n", "\n", "é", "e\u0301", "ش", "م", "👩‍💻", "𐐷", "字", "\u200f", "."]
)
TEXTS = st.lists(CHARACTERS, min_size=1, max_size=40).map("".join).filter(lambda text: text.strip() != "")
NAMES = st.sampled_from(["person", "place", "thing"])
VALUES = st.one_of(
    st.text("aé👩 \n", max_size=5), st.integers(-5, 5), st.booleans(), st.lists(st.text("xy", min_size=1, max_size=2))
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    text = draw(TEXTS)
    spans = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        span: dict[str, Any] = {"start": start, "end": end, "text": text[start:end], "labelName": draw(NAMES)}
        status = draw(st.sampled_from([None, "OK", "KO"]))
        if end - start > 2 and draw(st.booleans()):
            span["fragments"] = [[start, start + 1], [end - 1, end]]
        span |= {"identifier": f"s{len(spans)}", "createdBy": draw(st.sampled_from(["root", "gone"]))}
        spans.append(span | ({"status": status} if status else {}))
    ends = st.sampled_from([f"s{place}" for place in range(max(1, len(spans)))])
    links = draw(st.sets(st.tuples(NAMES, ends, ends), max_size=3)) if len(spans) > 1 else set()
    relations = [{"name": name, "source": one, "target": other} for name, one, other in sorted(links) if one != other]
    categories = [{"labelName": name} for name in draw(st.sets(NAMES, max_size=2))]
    return {
        "title": draw(TEXTS),
        "text": text,
        "annotations": spans,
        "relations": relations,
        "categories": categories,
        "metadata": draw(st.dictionaries(st.sampled_from(["k", "ключ"]), VALUES, max_size=2)),
        "altTexts": [{"name": "other", "text": draw(TEXTS)}],
    }


OTHER = {"identifier", "importedBy", "importedDate"}
"""What differs between a project and its copy: identifiers of rows, and who imported them."""


def seen(caller: Any, name: str) -> list[Any]:
    found = []
    for one in caller.get(f"/api/projects/{name}/documents").json():
        places = {row["identifier"]: place for place, row in enumerate(one["annotations"])}
        for relation in one.get("relations", ()):
            relation["source"], relation["target"] = places[relation["source"]], places[relation["target"]]
            for key in OTHER & relation.keys():
                del relation[key]
        for part in ("annotations", "categories"):
            rows = [{key: value for key, value in row.items() if key not in OTHER} for row in one[part]]
            one[part] = sorted(rows, key=repr)
        found.append({key: value for key, value in one.items() if key == "identifier" or key not in OTHER})
    return sorted(found, key=lambda one: one["identifier"])


@settings(
    max_examples=hypothesis_example_count(12),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(drawn=st.lists(documents(), min_size=1, max_size=4))
def test_any_document_survives_export_and_import(corpus: Corpus, drawn: list[dict[str, Any]]) -> None:
    """Including timestamps, authors, statuses and offsets; only identifiers of rows differ."""
    number = len(corpus.get("/documents"))
    corpus.add(*({"identifier": f"d{number + place}"} | one for place, one in enumerate(drawn)))
    archive = corpus.caller.get(f"{corpus.path}/_export").content
    name, job = import_project(corpus, archive)
    assert job["status"] == "COMPLETED", job
    assert seen(corpus.caller, name) == seen(corpus.caller, corpus.project.name)
    found = corpus.caller.get(f"/api/projects/{name}/corpusMetrics").json()
    assert found["documentCount"] == corpus.get("/corpusMetrics")["documentCount"]
