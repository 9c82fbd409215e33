"""Whatever was done in bulk, taking it back last first gives the corpus as it was; nobody's later work is lost."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.factories import Corpus, document
from support.hypothesis_example_count import hypothesis_example_count

TEXTS = ("Paris is large.", "Paris sleeps near Rome.", "Rome and Oslo wake.", "Nothing at all here.")
searches = st.fixed_dictionaries(
    {"query": st.sampled_from(["", "paris", "rome", "oslo OR large"]), "invertSearch": st.booleans()},
    optional={"searchIn": st.sampled_from(["documents", "segments"])},
)
actions = st.one_of(
    st.tuples(
        st.just("_search_and_tag"),
        st.fixed_dictionaries({"name": st.sampled_from(["year", "new"]), "value": st.sampled_from(["", "a", "b"])}),
    ),
    st.tuples(
        st.just("_search_and_categorize"),
        st.fixed_dictionaries({"labelName": st.sampled_from(["press", "sport"]), "add": st.booleans()}),
    ),
    st.tuples(st.just("_search_and_delete_labelling"), st.none()),
    st.tuples(st.just("_search_and_delete"), st.none()),
)
steps = st.lists(st.tuples(actions, searches), min_size=1, max_size=4)
UNDONE_BETWEEN: Any = [
    (("_search_and_categorize", {"labelName": "sport", "add": True}), {"query": "paris", "invertSearch": False}),
    (("_search_and_delete_labelling", None), {"query": "oslo OR large", "invertSearch": False}),
    (
        ("_search_and_categorize", {"labelName": "sport", "add": False}),
        {"query": "oslo OR large", "invertSearch": True},
    ),
]
"""The last two change what the first one made; once they are taken back, the first can be."""
CHECKS = settings(
    max_examples=hypothesis_example_count(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def state(corpus: Corpus) -> str:
    """What people see, and what searches find, without versions and dates of changes."""
    documents = corpus.get("/documents")
    for one in documents:
        for part in (one, *one["annotations"], *one["categories"]):
            for name in ("version", "modifiedDate"):
                part.pop(name, None)
        one["annotations"].sort(key=lambda span: str(span["identifier"]))
        one["categories"].sort(key=lambda category: str(category["identifier"]))
    facets = corpus.post("/documents/_search", params={"facet": True, "size": 0})["aggregations"]
    said = [one for one in facets if "Date" not in one["name"] and one["name"] != "activity"]
    documents.sort(key=lambda one: str(one["identifier"]))
    return json.dumps([documents, said], sort_keys=True)


def fill(corpus: Corpus) -> None:
    for number, text in enumerate(TEXTS):
        spans = [(word, "city") for word in ("Paris", "Rome", "Oslo") if word in text]
        corpus.add(document(f"d{number}", text, *spans, metadata={"year": "2020"}))
    corpus.add_labels("press", "sport")
    corpus.post("/categories", json={"documentIdentifier": "d1", "labelName": "press"})


def run(corpus: Corpus, path: str, **arguments: Any) -> dict[str, Any]:
    job = corpus.post(path, **arguments)
    corpus.run_jobs()
    bean: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    assert bean["status"] == "COMPLETED", bean
    return bean


def do(corpus: Corpus, step: Any) -> dict[str, Any]:
    (path, body), search = step
    return run(corpus, f"/documents/{path}", params=search, **({} if body is None else {"json": body}))


def test_undoing_everything_gives_the_corpus_as_it_was(corpus: Corpus) -> None:
    fill(corpus)
    before = state(corpus)

    @CHECKS
    @given(steps)
    @example(UNDONE_BETWEEN)
    def check(done: Any) -> None:
        jobs = [do(corpus, step) for step in done]
        for job in reversed(jobs):
            back = run(corpus, f"/job/{job['id']}/_undo")
            assert back["result"]["kept"] == 0
        assert state(corpus) == before

    check()


def test_what_people_did_since_is_never_overwritten(corpus: Corpus) -> None:
    """The category and value that somebody gave by hand after the job stand after the undo."""
    fill(corpus)

    @CHECKS
    @given(actions, st.sampled_from(["press", "sport"]), st.sampled_from(["a", "c"]))
    def check(action: Any, label: str, value: str) -> None:
        job = do(corpus, (action, {"query": "paris OR nothing"}))
        if job["type"] != "DELETE_DOCS":
            mine = corpus.post("/categories", json={"documentIdentifier": "d3", "labelName": label})
            corpus.post("/documents/_tag", 204, params={"identifier": "d3"}, json={"name": "new", "value": value})
        run(corpus, f"/job/{job['id']}/_undo")
        found = corpus.get("/documents/d3")
        if job["type"] != "DELETE_DOCS":
            same = job["type"] == "ADD_METADATA" and action[1] == {"name": "new", "value": value}
            assert same or found["metadata"]["new"] == value
            own = job["type"] == "ADD_CATEGORY" and action[1]["labelName"] == label and action[1]["add"]
            assert own or mine["identifier"] in [one["identifier"] for one in found["categories"]]
            for one in found["categories"]:
                corpus.delete(f"/categories/{one['identifier']}")
            corpus.post("/documents/_tag", 204, params={"identifier": "d3"}, json={"name": "new", "value": ""})

    check()
