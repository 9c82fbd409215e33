"""Experiments that find topics: report, their own labels, what a second run keeps, permissions, unusual corpora."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from support.factories import Corpus, document
from support.real_corpora import question_documents

from annotarium.db.database import get_database
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.experiments.topic_corpus import TopicCorpus, TopicCorpusPart
from annotarium.domains.experiments.topics import build_topic_learner, match_topics_to_former_labels
from annotarium.domains.trainables.examples import examples_by_granularity, training_examples
from annotarium.registry import get_registry
from annotarium_plugins.base.topic_learner import Topic, Topics
from annotarium_plugins.testing.samples import classification_documents

ENGINE = "sklearn_topics"
TAG = "clustering-shortcut"


def texts() -> list[dict[str, Any]]:
    """36 texts about sport, money and food."""
    return [document(one.identifier or "", one.text) for one in classification_documents()]


def create(corpus: Corpus, **parameters: Any) -> str:
    body = {"engine": ENGINE, "label": "Clusters", "tags": [TAG], "parameters": {"nr_topics": 3} | parameters}
    name: str = corpus.post("/experiments", json=body)["name"]
    return name


def launch(corpus: Corpus, name: str, *, annotate: bool = False) -> dict[str, Any]:
    job = corpus.post(f"/experiments/{name}/_launch", params={"annotateCorpus": annotate})
    assert job["type"] == "EXPERIMENT_TRAINING"
    corpus.run_jobs()
    ended: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    return ended


def categories(corpus: Corpus) -> dict[str, list[dict[str, Any]]]:
    return {one["identifier"]: one["categories"] for one in corpus.get("/documents", params={"limit": 100})}


def topic_set(corpus: Corpus) -> dict[str, Any]:
    (found,) = [one for one in corpus.get("/label_sets", params={"includeLabels": True}) if one["tags"] == ["topics"]]
    return dict(found)


@pytest.fixture(params=["corpus", "topics"])
def either(request: pytest.FixtureRequest) -> Corpus:
    """A project of each nature with the texts."""
    found: Corpus = request.getfixturevalue(request.param)
    found.add(*texts(), segmentationPolicy="compute_if_missing")
    return found


def test_topic_engines_are_available_for_both_natures(corpus: Corpus, topics: Corpus) -> None:
    """C-073: the parameters of the shortcut are accepted; the form states that no label is needed."""
    for one in (corpus, topics):
        assert ENGINE in one.get("/engines", params={"type": "learner"})
    form = corpus.get("/engine_parameters", params={"type": "learner", "engine": ENGINE, "uiSchema": True})
    assert form["needsLabels"] is False
    wanted = {
        "tokenizer": "spacy",
        "stopwords": True,
        "lemma": True,
        "ngram_range": [1, 3],
        "nr_topics": 20,
        "scope": "all",
        "source_collection": "documents",
    }
    assert {name: form["defaults"][name] for name in wanted} == wanted
    crf = corpus.get("/engine_parameters", params={"type": "learner", "engine": "crf", "uiSchema": True})
    assert crf["needsLabels"] is True


def test_topics_are_found_without_any_annotation(either: Corpus) -> None:
    """The report contains topics, sizes, words and outliers; labels are created only on request."""
    name = create(either)
    ended = launch(either, name)
    assert ended["status"] == "COMPLETED", ended
    assert ended["statusMessage"].startswith("3 topics, 36 texts")
    found = either.get(f"/experiments/{name}")
    report = found["report"]
    assert (report["pieces"], report["sourceCollection"], report["measure"]) == (36, "documents", "distinctness")
    assert sum(one["size"] for one in report["topics"]) + report["outliers"] == 36
    assert found["classes"] == [one["name"] for one in report["topics"]]
    assert set(report["classes"]) == set(found["classes"])
    assert report["microAvg"] == {"support": 36}, "nothing is claimed about what is right"
    assert found["quality"] > 0
    assert all(len(one["words"]) >= 3 and 0 <= one["quality"] <= 1 for one in report["topics"])
    assert report["used"]["lemma"] == "stems"
    assert (found["uptodate"], found["models"], found["annotateService"]) == (True, 1, name)
    assert [one["name"] for one in either.get("/experiments", params={"tags": TAG})] == [name]
    assert all(one["tags"] != ["topics"] for one in either.get("/label_sets"))
    assert either.get("/modelMetrics").get("best") is None, "clear topics are no right answers"
    assert either.get("/annotators_by_type")["learner"][0]["isDefault"] is False


def test_topics_become_categories_of_a_set_of_their_own(either: Corpus) -> None:
    name = create(either)
    assert launch(either, name, annotate=True)["status"] == "COMPLETED"
    report = either.get(f"/experiments/{name}")["report"]
    own = topic_set(either)
    assert (own["name"], own["label"], own["exclusiveClasses"]) == (f"topics_{name}", "Clusters", True)
    assert own["nature"] == "classification"
    assert report["labelSetName"] == own["name"]
    sizes = {one["labelName"]: one["size"] for one in report["topics"]}
    assert {one["name"]: one["label"] for one in own["labels"]} == {
        one["labelName"]: one["title"] for one in report["topics"]
    }
    assert either.facet("classificationLabel") == sizes, "from a topic to its documents"
    given = [one for found in categories(either).values() for one in found]
    assert {(one["creationMode"], one["createdBy"], one.get("status")) for one in given} == {("automatic", name, None)}
    assert all(0 < one["score"] <= 1 for one in given)


def test_a_second_run_replaces_only_automatic_categories(either: Corpus) -> None:
    """Categories that users confirmed, rejected or added stay, and so do labels they renamed; in the exclusive set they
    are the only one of their document.
    """
    name = create(either)
    launch(either, name, annotate=True)
    labels = {one["labelName"] for one in either.get(f"/experiments/{name}")["report"]["topics"]}
    before = categories(either)
    confirmed, rejected, mine = (one for one in list(before)[:3])
    either.patch(f"/categories/{before[confirmed][0]['identifier']}", json={"status": "OK"})
    either.patch(f"/categories/{before[rejected][0]['identifier']}", json={"status": "KO"})
    other = min(labels - {before[mine][0]["labelName"]})
    either.post("/labels", json={"name": "urgent", "label": "Urgent"})
    for label in ("urgent", other):
        either.post("/categories", json={"documentIdentifier": mine, "labelName": label})
    either.patch(f"/labels/{other}", json={"label": "My name", "color": "#123456"})
    assert launch(either, name, annotate=True)["status"] == "COMPLETED"
    after = categories(either)
    assert [(one["labelName"], one["status"]) for one in after[confirmed]] == [
        (before[confirmed][0]["labelName"], "OK")
    ]
    assert [(one["labelName"], one["status"]) for one in after[rejected]] == [(before[rejected][0]["labelName"], "KO")]
    assert {(one["labelName"], one["status"]) for one in after[mine]} == {("urgent", "OK"), (other, "OK")}
    rest = set(before) - {confirmed, rejected, mine}
    assert all(len(after[one]) == 1 for one in rest), "one topic each"
    assert {one: after[one][0]["labelName"] for one in rest} == {one: before[one][0]["labelName"] for one in rest}
    assert {one["name"]: one["label"] for one in topic_set(either)["labels"]}[other] == "My name"
    assert {one["name"] for one in topic_set(either)["labels"]} == labels


def test_unused_labels_of_former_topics_are_deleted(topics: Corpus) -> None:
    topics.add(*texts())
    name = create(topics, nr_topics=7)
    launch(topics, name, annotate=True)
    former = {one["name"] for one in topic_set(topics)["labels"]}
    victim, kept = next((key, found[0]["labelName"]) for key, found in categories(topics).items() if found)
    topics.patch(f"/categories/{categories(topics)[victim][0]['identifier']}", json={"status": "OK"})
    topics.patch(f"/experiments/{name}", json={"parameters": {"nr_topics": 2}})
    launch(topics, name, annotate=True)
    now = {one["name"] for one in topic_set(topics)["labels"]}
    present = {one["labelName"] for one in topics.get(f"/experiments/{name}")["report"]["topics"]}
    assert present | {kept} == now
    assert len(former) > len(now)


def test_labels_and_sets_of_users_are_left_unchanged(corpus: Corpus) -> None:
    """A label or a set of a user with a name that the experiment would choose stays unchanged."""
    corpus.add(*texts())
    name = create(corpus)
    launch(corpus, name)
    wanted = corpus.get(f"/experiments/{name}")["report"]["topics"][0]["name"]
    corpus.post("/label_sets", json={"name": f"topics_{name}", "label": "Mine"})
    corpus.post("/labels", json={"name": wanted, "label": "Mine", "labelSetName": f"topics_{name}"})
    launch(corpus, name, annotate=True)
    report = corpus.get(f"/experiments/{name}")["report"]
    assert (report["labelSetName"], report["topics"][0]["labelName"]) == (f"topics_{name}_2", f"{wanted}_2")
    assert corpus.get(f"/labels/{wanted}", params={"includeCount": True})["count"] == 0
    named = (one for one in corpus.get("/documents") if [c["labelName"] for c in one["categories"]] == [f"{wanted}_2"])
    text = next(named)["text"]
    path, done = f"/api/annotate/projects/{corpus.project.name}/annotators/{name}/_annotate", Event()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: [corpus.run_jobs() for _ in iter(lambda: done.wait(0.05), True)])
        answer = corpus.caller.post(path, content=text, headers={"Content-Type": "text/plain"}).json()
        done.set()
    (found,) = answer["categories"]
    assert found["labelName"] == f"{wanted}_2", "a text that is not stored gets the label too"


def test_segments_can_be_grouped_into_topics(either: Corpus) -> None:
    """Categories of sentences; in a classification project document categories are still learned from whole
    documents."""
    long = document("long", "The bank raised its rates. The team won the match in the final.")
    either.add(long, segmentationPolicy="compute_if_missing")
    name = create(either, source_collection="segments", minimum_likeness=0)
    assert launch(either, name, annotate=True)["status"] == "COMPLETED"
    report = either.get(f"/experiments/{name}")["report"]
    assert report["sourceCollection"] == "segments"
    assert report["pieces"] == either.post("/segments/_search", params={"size": 0})["total"]["value"] > 36
    assert categories(either)["long"] == []
    sentences = either.get("/documents/long")["sentences"]
    (bank,), (team,) = (one["categories"] for one in sentences)
    assert [one["start"] for one in sentences] == [0, 27]
    assert bank["labelName"] != team["labelName"]
    if either.project.nature != "classification":
        return
    either.post("/labels", json={"name": "short", "label": "Short"})
    for one in ("sport0", "sport1", "money0", "food0", "food1", "long"):
        either.post("/categories", json={"documentIdentifier": one, "labelName": "short"})
    with unit_of_work(actor="test", write=False) as unit:
        learned = list(training_examples(unit.session, either.project))
    assert [one.whole for one in learned] == [True] * 6


def test_only_the_dataset_is_read_on_request(topics: Corpus) -> None:
    topics.add(*question_documents(120))
    topics.add(*texts())
    name = create(topics, scope="dataset")
    launch(topics, name)
    assert topics.get(f"/experiments/{name}")["report"]["pieces"] == 120


@pytest.mark.parametrize("given", [[], ["The bank raised its rates."], ["...", "1 2 3", "--"]])
def test_too_few_texts_are_refused_with_a_reason(corpus: Corpus, given: list[str]) -> None:
    corpus.add(*(document(f"d{number}", text) for number, text in enumerate(given))) if given else None
    name = create(corpus)
    ended = launch(corpus, name, annotate=True)
    assert ended["status"] == "FAILED"
    error = ended["error"]
    assert error["message"] == "There are too few texts to find topics"
    assert f"{len(given)} text" in error["cause"] and error["fix"]
    assert corpus.get(f"/experiments/{name}")["models"] == 0


def test_finding_topics_can_be_cancelled(corpus: Corpus) -> None:
    corpus.add(*texts())
    name = create(corpus)
    job = corpus.post(f"/experiments/{name}/_launch", params={"annotateCorpus": True})
    assert "already" in corpus.post(f"/experiments/{name}/_launch", 409)["message"]
    corpus.post(f"/experiments/{name}/_cancel", 204)
    corpus.run_jobs()
    assert corpus.get(f"/job/{job['id']}")["status"] == "CANCELLED"
    assert "report" not in corpus.get(f"/experiments/{name}")
    assert all(not found for found in categories(corpus).values())


def test_suggesters_cannot_use_topic_engines(corpus: Corpus) -> None:
    corpus.add(*(document(f"d{number}", f"Ann has {number}.", ("Ann", "person")) for number in range(20)))
    body = {"engine": "margin", "label": "S", "parameters": {"learner": ENGINE}}
    name = corpus.post("/suggesters", json=body)["name"]
    corpus.post(f"/suggesters/{name}/_start")
    job = corpus.get(f"/suggesters/{name}")["jobId"]
    corpus.run_jobs()
    error = corpus.get(f"/job/{job}")["error"]
    assert error["message"] == f"{ENGINE} does not learn labels: it finds topics"


def test_permissions_to_find_topics(corpus: Corpus, as_user: Any, client: Any) -> None:
    """Anonymous, forbidden, valid: needs the engine, write access, and for categories the permission to create
    labels."""
    corpus.add(*texts())
    name, project = create(corpus), corpus.project.name
    path = f"{corpus.path}/experiments/{name}/_launch"
    client.cookies.clear()
    assert client.post(path).status_code == 401
    onlooker = as_user(client, "olga", "ProjectManager", "useEngine:*", f"readProject:{project}")
    assert onlooker.post(path).status_code in (401, 403, 404, 409)
    narrow = as_user(client, "max", "ProjectManager", "useEngine:crf", f"writeProject:{project}")
    assert narrow.post(path).status_code == 403
    for missing, held in (("annotateCorpus", "writeLabel"), ("writeLabel", "annotateCorpus")):
        some = as_user(client, f"no-{missing}", "Reader", f"useEngine:{ENGINE}", f"writeProject:{project}", held)
        refused = some.post(path, params={"annotateCorpus": True})
        assert (refused.status_code, missing in refused.json()["cause"]) == (403, True)
    trainer = as_user(client, "tom", "Reader", f"useEngine:{ENGINE}", f"writeProject:{project}")
    assert trainer.post(path).status_code == 200


def _assert_database_is_free() -> None:
    """Check that no transaction is open in this process, and that another one can write."""
    assert get_database().is_idle()
    with unit_of_work(actor="", write=True):
        assert not get_database().is_idle()


@pytest.mark.parametrize("engine", [ENGINE, "sklearn_text_classifier"])
def test_no_transaction_is_open_while_a_learner_is_fitted(
    topics: Corpus, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A training takes hours: a transaction open meanwhile would keep the database from removing old row versions."""
    topics.add(*question_documents(120))
    body = {"engine": engine, "label": "Trained", "parameters": {"nr_topics": 3} if engine == ENGINE else {}}
    name = topics.post("/experiments", json=body)["name"]
    learner = type(get_registry().build("learner", engine, {}))
    steps: list[str] = []

    def watch(step: str) -> None:
        original = getattr(learner, step)

        def watched(*arguments: Any, **named: Any) -> Any:
            steps.append(step)
            _assert_database_is_free()
            return original(*arguments, **named)

        monkeypatch.setattr(learner, step, watched)

    watch("fit")
    watch("predict")
    watch("rank")
    ended = launch(topics, name)
    assert ended["status"] == "COMPLETED", ended
    assert steps[0] == "fit" and set(steps) > {"fit"}, "measured, too"


def test_texts_can_be_iterated_repeatedly(topics: Corpus, open_as: Any) -> None:
    """Each iteration, also a nested one, yields all texts; they remain readable after the end of the transaction."""
    topics.add(*question_documents(40))
    learner = build_topic_learner(ENGINE, {"nr_topics": 3})
    with open_as("root", topics.project, write=False) as call:
        examples = [one.document for one in examples_by_granularity(call.session, call.project, whole=True)]
        wanted = [(one.identifier, one.title, one.text, one.metadata) for one in examples]
        read = TopicCorpus.read(call, learner)
    texts_of = TopicCorpusPart(read)
    outer = iter(texts_of)
    first = next(outer)
    again = [(one.identifier, one.title, one.text, one.metadata) for one in TopicCorpusPart(read)]
    assert again == wanted
    assert [first.identifier, *(one.identifier for one in outer)] == [one[0] for one in wanted]
    assert (texts_of.count, len(texts_of.fingerprint)) == (40, 64)
    read.close()


WORDS = ("bank", "rates", "loan", "market", "shares", "profit", "revenue", "fell", "grew", "raised")


def topic_of(name: str, *words: str) -> Topic:
    return Topic(name, name, tuple((word, 1.0) for word in words), 1)


def test_a_topic_keeps_its_label_if_half_of_its_terms_stay() -> None:
    before = [{"labelName": "money", "words": [{"word": word} for word in WORDS]}, {"words": [{"word": "x"}]}]
    near = topic_of("near", *WORDS[:8], "new", "york")
    half = topic_of("half", *WORDS[:5], *"abcde")
    far = topic_of("far", *WORDS[:4], *"abcdef")
    topics = [far, half, near]
    assert match_topics_to_former_labels(before, Topics(tuple(topics), 3, 0, 1.0, "")) == {"near": "money"}, (
        "a label goes to one topic"
    )
    assert match_topics_to_former_labels(before, Topics((far, half), 2, 0, 1.0, "")) == {"half": "money"}
    assert match_topics_to_former_labels(before, Topics((far,), 1, 0, 1.0, "")) == {}
    assert match_topics_to_former_labels([], Topics((far,), 1, 0, 1.0, "")) == {}
