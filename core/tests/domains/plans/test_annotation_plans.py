"""Annotation plans: annotators in an order, on sent texts and on the corpus, with conditions (C-081)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.factories import Corpus
from support.real_corpora import entity_documents

from annotarium.content.plans.conditions import InvalidCondition, check_condition, is_met
from annotarium.content.plans.targets import extract_part_as_document, is_target_path, merge_results, target_ranges
from annotarium_schemas.documents import Annotation, Category, Document, Sentence, Term


@pytest.fixture
def annotator(corpus: Corpus) -> str:
    """An annotator trained on the first half of the documents; the other half has no annotations."""
    documents = entity_documents(200)
    for number, one in enumerate(documents):
        one["metadata"] = {"part": "first" if number < 150 else "second"}
        if number >= 150:
            del one["annotations"], one["reviewed"]
    corpus.add(*documents)
    name: str = corpus.post("/experiments", json={"engine": "crf", "parameters": {"iterations": 50}})["name"]
    corpus.post(f"/experiments/{name}/_launch")
    corpus.run_jobs()
    return name


def plan(corpus: Corpus, *steps: dict[str, Any], label: str = "Chain") -> str:
    name: str = corpus.post("/plans", json={"label": label, "parameters": {"pipeline": list(steps)}})["name"]
    return name


def test_terms_of_an_annotator_are_stored(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    class Linker:
        def predict(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
            for one in documents:
                term = Term(identifier="Q90", lexicon="wikidata", preferred_form="Paris")
                found = Annotation(start=0, end=5, label_name="place", creation_mode="automatic", terms=[term])
                yield one.model_copy(update={"annotations": [found]})

    corpus.add({"identifier": "d", "text": "Paris sleeps."})
    corpus.post("/labels", json={"name": "place", "label": "Place"})
    name = plan(corpus, {"processor": "consolidate", "parameters": {}})
    monkeypatch.setattr("annotarium.domains.annotators.predictions.load_annotator", lambda call, annotator: Linker())
    corpus.post(f"/annotators/{name}/_annotate_corpus")
    corpus.run_jobs()
    ((only,),) = [document["annotations"] for document in corpus.get("/documents")]
    assert (only["text"], only["createdBy"]) == ("Paris", name)
    assert only["terms"] == [{"identifier": "Q90", "lexicon": "wikidata", "preferredForm": "Paris"}]


def test_a_plan_is_an_annotator(corpus: Corpus, annotator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-053, C-081: listed by type; sent texts are annotated; documents of the corpus are where the condition holds."""
    from annotarium.jobs.run import run_job

    where = {"condition": {"metadata": {"name": "part", "value": "second"}}}
    name = plan(corpus, {"annotator": annotator} | where)
    always = plan(corpus, {"annotator": annotator}, label="Always")
    listed = corpus.get("/annotators_by_type")["plan"]
    assert [(one["name"], one["label"], one["engine"]) for one in listed] == [
        (name, "Chain", "plan"),
        (always, "Always", "plan"),
    ]
    job = corpus.post(f"/annotators/{name}/_annotate_corpus")
    corpus.run_jobs()
    ended = corpus.get(f"/job/{job['id']}")
    assert (ended["status"], ended["type"], ended["undoable"]) == ("COMPLETED", "CORPUS_ANNOTATE", True)
    assert ended["result"]["added"] > 0
    made = [
        (document["metadata"]["part"], one)
        for document in corpus.get("/documents")
        for one in document["annotations"]
        if one["createdBy"] == name
    ]
    assert len(made) == ended["result"]["added"]
    assert {part for part, _ in made} == {"second"}
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda job_id, queue: run_job(job_id))
    text = " ".join(one["text"] for one in entity_documents(5))
    headers = {"Content-Type": "text/plain"}
    found = corpus.post(f"/annotators/{always}/_annotate", content=text.encode(), headers=headers)
    assert found["annotations"]
    assert all(text[one["start"] : one["end"]] == one["text"] for one in found["annotations"])
    none = corpus.post(f"/annotators/{name}/_annotate", content=text.encode(), headers=headers)
    assert none["annotations"] == []


def test_an_annotator_of_another_project_requires_read_access(
    corpus: Corpus, annotator: str, make_project: Any, as_user: Any
) -> None:
    """S-053: referenced with its project; a caller who cannot read that project cannot reference it."""
    other = Corpus(corpus.caller, make_project("elsewhere", owner="zoe"), corpus.run_jobs)
    step = {"annotator": annotator, "projectName": corpus.project.name}
    assert plan(other, step) == "chain"
    zoe = as_user(corpus.caller.client, "zoe", "annotateCorpus")
    other.add({"identifier": "t", "text": "A text."})
    job = zoe.post(f"{other.path}/annotators/chain/_annotate_corpus").json()
    corpus.run_jobs()
    ended = zoe.get(f"{other.path}/job/{job['id']}").json()
    assert ended["status"] == "FAILED", "what she does not read annotates nothing for her"
    assert f"there is no annotator {annotator}" in ended["error"]["message"]
    path = f"{other.path}/plans"
    refused = zoe.post(path, json={"parameters": {"pipeline": [step]}})
    assert refused.status_code == 400
    assert refused.json()["details"][0]["field"] == "pipeline.0.name"


LABELS = st.sampled_from(["person", "place"])
CONDITIONS: st.SearchStrategy[dict[str, Any]] = st.recursive(
    st.one_of(
        st.builds(lambda name: {"annotation": name}, LABELS),
        st.builds(lambda name: {"category": name}, LABELS),
        st.sampled_from(
            [{"metadata": {"name": "lang"}}, {"metadata": {"name": "lang", "value": "en"}}, {"text": "MARIE"}]
        ),
    ),
    lambda inner: st.one_of(
        st.builds(lambda one: {"not": one}, inner),
        st.builds(lambda many: {"and": many}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda many: {"or": many}, st.lists(inner, min_size=1, max_size=3)),
    ),
    max_leaves=8,
)
DOCUMENTS = st.builds(
    lambda spans, categories, lang: Document(
        text="Marie sleeps.",
        annotations=[Annotation(start=0, end=5, label_name=name) for name in spans],
        categories=[Category(label_name=name) for name in categories],
        metadata={"lang": lang} if lang else {},
    ),
    st.lists(LABELS, max_size=2),
    st.lists(LABELS, max_size=2),
    st.sampled_from([None, "en", ["fr", "en"], "fr"]),
)


@given(CONDITIONS, CONDITIONS, DOCUMENTS)
def test_conditions_combine_with_boolean_logic(one: Any, other: Any, document: Document) -> None:
    """C-081: conjunction, disjunction and negation of any conditions."""
    check_condition({"and": [one, other]})
    first, second = is_met(one, document), is_met(other, document)
    assert is_met({"not": one}, document) is not first
    assert is_met({"and": [one, other]}, document) is (first and second)
    assert is_met({"or": [one, other]}, document) is (first or second)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"metadata": {"name": "lang"}}, True),
        ({"metadata": {"name": "lang", "value": "en"}}, True),
        ({"metadata": {"name": "lang", "value": "de"}}, False),
        ({"metadata": {"name": "size", "value": 3}}, True),
        ({"metadata": {"name": "other"}}, False),
        ({"category": "sport"}, True),
        ({"category": "news"}, False),
        ({"annotation": "person"}, True),
        ({"annotation": "place"}, False),
        ({"text": "SLEEPS"}, True),
    ],
)
def test_each_condition(condition: Any, expected: bool) -> None:
    """C-081; a rejected label does not count as present."""
    document = Document(
        text="Marie sleeps.",
        annotations=[
            Annotation(start=0, end=5, label_name="person"),
            Annotation(start=0, end=5, label_name="place", status="KO"),
        ],
        categories=[Category(label_name="sport")],
        metadata={"lang": ["fr", "en"], "size": 3},
    )
    assert is_met(condition, document) is expected


@pytest.mark.parametrize(
    ("condition", "place"),
    [
        ({}, "condition"),
        ("x", "condition"),
        ({"and": []}, "condition.and"),
        ({"not": {"odd": 1}}, "condition.not"),
        ({"or": [{"text": "a"}, {"category": " "}]}, "condition.or.1.category"),
        ({"metadata": {"name": "a", "value": ""}}, "condition.metadata.value"),
    ],
)
def test_invalid_conditions_are_refused(condition: Any, place: str) -> None:
    with pytest.raises(InvalidCondition) as caught:
        check_condition(condition)
    assert caught.value.place == place


def test_nesting_of_conditions_is_limited() -> None:
    deep: dict[str, Any] = {"text": "a"}
    for _ in range(500):
        deep = {"not": deep}
    with pytest.raises(InvalidCondition):
        check_condition(deep)


@pytest.mark.parametrize("path", ["document", "segments", "annotations", "annotations[person]"])
def test_results_are_merged_at_their_original_offsets(path: str) -> None:
    """C-081: the free form is the path itself; segments, annotations, annotations of one label."""
    assert is_target_path(path)
    text = "Marie 🙂 sleeps. Paul wakes."
    document = Document(
        text=text,
        annotations=[
            Annotation(start=0, end=5, label_name="person"),
            Annotation(start=16, end=20, label_name="hero"),
            Annotation(start=21, end=26, label_name="person", status="KO"),
        ],
        sentences=[Sentence(start=0, end=15), Sentence(start=16, end=27)],
    )
    expected = {
        "document": [text],
        "segments": ["Marie 🙂 sleeps.", "Paul wakes."],
        "annotations": ["Marie", "Paul"],
        "annotations[person]": ["Marie"],
    }
    places = list(target_ranges(document, path))
    assert [text[start:end] for start, end in places] == expected[path]
    before = len(document.annotations)
    for start, end in places:
        piece = extract_part_as_document(document, start, end)
        piece.annotations = [Annotation(start=1, end=3, label_name="new", text=piece.text[1:3])]
        piece.categories = [Category(label_name="of it")]
        merge_results(document, piece, start, end)
    for one in document.annotations[before:]:
        assert text[one.start : one.end] == one.text
    whole = path == "document"
    assert [(one.start, one.end) for one in document.categories] == ([(None, None)] if whole else places)


@pytest.mark.parametrize("path", ["", "$.sentences", "annotations[]", "annotations[a][b]", "segments[x]"])
def test_invalid_paths_are_refused(path: str) -> None:
    assert not is_target_path(path)
