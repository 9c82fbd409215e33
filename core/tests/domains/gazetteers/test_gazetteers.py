"""Gazetteers: created over lexicons, synchronised by a job, used as annotators, exported and imported."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.vocabularies import add_gazetteer, add_lexicon, engine, linked, synchronize

TEXTS = (document("a", "He has asthma and gout."), document("b", "Rubeola is another name of measles."))


@pytest.fixture
def diseases(corpus: Corpus) -> Corpus:
    """Two documents, the lexicon `diseases` and the gazetteer `finder`."""
    corpus.add(*TEXTS)
    add_gazetteer(corpus, add_lexicon(corpus))
    return corpus


def test_a_gazetteer_is_created_changed_and_deleted(diseases: Corpus) -> None:
    """E-044, V-029: get, create, update, delete, favourite and e-mail; a label is generated."""
    (found,) = diseases.get("/gazetteers")
    assert (found["name"], found["label"], found["engine"]) == ("finder", "Finder", engine())
    assert (found["models"], found["running"], found["uptodate"], found["lexicons"]) == (0, False, False, ["diseases"])
    assert "annotateService" not in found
    changed = {"favorite": True, "emailNotification": True, "label": "Names", "tags": ["x"]}
    body = diseases.patch("/gazetteers/finder", json=changed)
    assert {key: body[key] for key in changed} == changed
    assert [one["name"] for one in diseases.get("/gazetteers", params={"tags": "x"})] == ["finder"]
    assert diseases.get("/gazetteers", params={"tags": "x,y"}) == []
    assert diseases.post("/gazetteers/_label_hint", json={"label": "Names"}) == {"labelHint": "Names 2"}
    again = diseases.post("/gazetteers", json={"engine": engine(), "parameters": found["parameters"]})["name"]
    assert diseases.get(f"/gazetteers/{again}")["label"]
    assert diseases.delete("/gazetteers", params={"names": f"finder,{again}"}) == {"removedCount": 2}
    diseases.get("/gazetteers/finder", 404)
    diseases.delete("/gazetteers/finder", 404)


def test_a_copy_has_the_parameters_and_the_proposed_label(diseases: Corpus) -> None:
    """D-023: the dialog that clones asks for a free label and sends the parameters; what was synchronised stays."""
    synchronize(diseases, "finder")
    body = diseases.get("/gazetteers/finder")
    label = diseases.post("/gazetteers/_label_hint", json={"label": body["label"]})["labelHint"]
    assert label == "Finder 2"
    copied = {"engine": body["engine"], "label": label, "parameters": body["parameters"]}
    copy = diseases.get(f"/gazetteers/{diseases.post('/gazetteers', json=copied)['name']}")
    assert (copy["label"], copy["parameters"]) == (label, body["parameters"])
    assert (copy["models"], copy["uptodate"], copy["favorite"]) == (0, False, False)
    for kind in ("experiments", "suggesters", "plans"):
        assert diseases.post(f"/{kind}/_label_hint", json={"label": "New"}) == {"labelHint": "New"}


def test_a_lexicon_that_does_not_exist_is_refused_at_its_field(diseases: Corpus) -> None:
    """The form shows the message at the field of the lexicons."""
    body = {"engine": engine(), "label": "x", "parameters": {"lexicons": ["nothing"]}}
    refused = diseases.post("/gazetteers", 400, json=body)
    assert refused["details"][0]["field"] == "lexicons"
    diseases.patch("/gazetteers/finder", 400, json={"parameters": body["parameters"]})
    diseases.post("/gazetteers", 404, json=body | {"engine": "nothing", "parameters": {}})


def test_synchronising_makes_an_annotator_of_the_corpus(diseases: Corpus) -> None:
    """T-028, S-049: every occurrence is an automatic annotation with its term and a label."""
    job = synchronize(diseases, "finder", annotateCorpus=True)
    assert job["parameters"]["annotate_corpus"] is True
    found = diseases.get("/gazetteers/finder")
    assert (found["models"], found["uptodate"], found["terms"], found["running"]) == (1, True, 3, False)
    assert found["annotateService"] == "finder"
    assert linked(diseases) == {"asthma": ["D1"], "gout": ["D2"], "Rubeola": ["D3"], "measles": ["D3"]}
    (first, *_) = diseases.get("/documents/a")["annotations"]
    assert (first["creationMode"], first["createdBy"], first["labelName"]) == ("automatic", "finder", "diseases")
    assert "status" not in first
    (listed,) = diseases.get("/annotators_by_type")["gazetteer"]
    assert (listed["name"], listed["label"]) == ("finder", "Finder")


def test_a_changed_term_makes_it_outdated(diseases: Corpus) -> None:
    """A person who changes the vocabulary sees that the annotator does not know the change yet."""
    synchronize(diseases, "finder")
    assert diseases.get("/gazetteers/finder")["uptodate"] is True
    diseases.post("/lexicons/diseases", json={"identifier": "D4", "preferredForm": "flu"})
    assert diseases.get("/gazetteers/finder")["uptodate"] is False
    synchronize(diseases, "finder")
    found = diseases.get("/gazetteers/finder")
    assert (found["uptodate"], found["terms"]) == (True, 4)
    diseases.delete("/lexicons/diseases")
    found = diseases.get("/gazetteers/finder")
    assert (found["uptodate"], found["lexicons"], found["missingLexicons"]) == (False, [], ["diseases"])
    diseases.post("/gazetteers/finder/_synchronize", 400)


def test_synchronising_again_replaces_its_own_undecided_annotations_only(diseases: Corpus) -> None:
    """Confirmed, rejected and other people's annotations stay, and terms that were changed by hand."""
    synchronize(diseases, "finder", annotateCorpus=True)
    by_text = {one["text"]: one for name in "ab" for one in diseases.get(f"/documents/{name}")["annotations"]}
    diseases.patch(f"/annotations/{by_text['asthma']['identifier']}", json={"status": "OK"})
    diseases.patch(f"/annotations/{by_text['gout']['identifier']}", json={"status": "KO"})
    diseases.patch(f"/annotations/{by_text['Rubeola']['identifier']}", json={"terms": []})
    diseases.annotate("b", "diseases", 11, 18)
    diseases.post("/lexicons/diseases/_delete_term", 204, json={"identifier": "D3"})
    synchronize(diseases, "finder", annotateCorpus=True)
    left = {
        one["text"]: (one.get("status"), one["identifier"])
        for name in "ab"
        for one in diseases.get(f"/documents/{name}")["annotations"]
    }
    assert left["asthma"] == ("OK", by_text["asthma"]["identifier"])
    assert left["gout"] == ("KO", by_text["gout"]["identifier"])
    assert left["Rubeola"] == (None, by_text["Rubeola"]["identifier"])
    assert left["another"][0] == "OK"
    assert "measles" not in left


def test_a_synchronisation_is_cancelled(diseases: Corpus) -> None:
    """T-028: a second one is refused while the first runs; a cancelled one changes nothing."""
    started = diseases.post("/gazetteers/finder/_synchronize")
    assert diseases.get("/gazetteers/finder")["running"] is True
    diseases.post("/gazetteers/finder/_synchronize", 409)
    diseases.post("/gazetteers/finder/_cancel_synchronize", 204)
    diseases.run_jobs()
    assert diseases.get(f"/job/{started['id']}")["status"] == "CANCELLED"
    found = diseases.get("/gazetteers/finder")
    assert (found["running"], found["models"]) == (False, 0)


def test_it_is_a_step_of_plans(diseases: Corpus) -> None:
    """Plans use it as any annotator; without a parameter for labels, the lexicon is the label."""
    synchronize(diseases, "finder")
    diseases.add_labels("diseases")
    step = {"annotator": "finder", "projectName": diseases.project.name}
    diseases.post("/plans", json={"label": "P", "parameters": {"pipeline": [step]}})
    diseases.post("/annotators/p/_annotate_corpus")
    diseases.run_jobs()
    assert linked(diseases) == {"asthma": ["D1"], "gout": ["D2"], "Rubeola": ["D3"], "measles": ["D3"]}


def test_its_name_is_that_of_no_other_annotator(diseases: Corpus) -> None:
    """Annotations are replaced by the name of their creator, which must therefore name one annotator."""
    experiment = diseases.post("/experiments", json={"engine": "crf", "label": "Finder"})["name"]
    assert experiment != "finder"
    other = diseases.post("/gazetteers", json={"engine": engine(), "label": experiment, "parameters": {}})["name"]
    assert other not in ("finder", experiment)


def test_a_plan_does_not_get_the_name_of_a_gazetteer(diseases: Corpus) -> None:
    """Created before or after it: annotations name their creator, which is replaced by that name."""
    synchronize(diseases, "finder")
    step = {"annotator": "finder", "projectName": diseases.project.name}
    body = {"label": "Finder", "parameters": {"pipeline": [step]}}
    assert diseases.post("/plans", params={"dryRun": True}, json=body)["name"] != "finder"
    name = diseases.post("/plans", json=body)["name"]
    assert name != "finder"
    assert diseases.post("/gazetteers", json={"engine": engine(), "label": name, "parameters": {}})["name"] != name


def test_it_is_counted_among_the_engines_of_its_project(diseases: Corpus) -> None:
    """S-002, C-069: the facets of the list of projects count engines, components and terms."""
    listed = diseases.caller.get("/api/projects", params={"computeMetrics": True, "computeEngines": True}).json()
    (found,) = [one for one in listed if one["name"] == diseases.project.name]
    assert (found["engines"], found["algorithms"], found["components"]) == ([engine()], [], [engine()])
    assert found["terms"] == 3
    assert diseases.get("/_info", params={"computeMetrics": True})["terms"] == 3
    diseases.delete("/lexicons/diseases")
    assert diseases.get("/_info", params={"computeMetrics": True})["terms"] == 0


def test_a_text_with_too_many_overlapping_terms_is_reported(diseases: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """The job states in how many texts only the longest terms were annotated; a plain text has them all."""
    monkeypatch.setattr("annotarium_engines.gazetteers.dictionary_gazetteer.MOST_MATCHES", 2)
    diseases.add_labels("diseases")
    diseases.post("/lexicons/diseases", json={"identifier": "D9", "preferredForm": "asthma and gout"})
    diseases.patch("/gazetteers/finder", json={"parameters": {"lexicons": ["diseases"], "overlaps": "all"}})
    synchronize(diseases, "finder")
    job = diseases.post("/annotators/finder/_annotate_corpus")
    diseases.run_jobs()
    ended = diseases.get(f"/job/{job['id']}")
    assert ended["result"] == {"added": 3, "documents": 2, "simplified": 1}
    assert "in 1 text with too many overlapping terms only the longest were annotated" in ended["statusMessage"]
    assert linked(diseases) == {"asthma and gout": ["D9"], "Rubeola": ["D3"], "measles": ["D3"]}


def test_annotations_without_a_term_are_linked(diseases: Corpus) -> None:
    """Those of people and confirmed ones at the same place with the same label; the job is undone with its links."""
    diseases.add_labels("diseases")
    person = diseases.annotate("a", "diseases", 7, 13)["identifier"]
    rejected = diseases.annotate("a", "diseases", 18, 22)["identifier"]
    diseases.patch(f"/annotations/{rejected}", json={"status": "KO"})
    unlinked = diseases.annotate("b", "diseases", 0, 7)["identifier"]
    diseases.patch(f"/annotations/{unlinked}", json={"terms": [{"lexicon": "diseases", "identifier": "D3"}]})
    diseases.patch(f"/annotations/{unlinked}", json={"terms": []})
    synchronize(diseases, "finder")
    job = diseases.post("/annotators/finder/_annotate_corpus")
    diseases.run_jobs()
    ended = diseases.get(f"/job/{job['id']}")
    assert ended["result"] == {"added": 1, "linked": 1, "documents": 2}
    by_id = {one["identifier"]: one for name in "ab" for one in diseases.get(f"/documents/{name}")["annotations"]}
    assert [one["identifier"] for one in by_id[person]["terms"]] == ["D1"]
    assert (by_id[person]["createdBy"], by_id[person]["creationMode"]) == ("root", "manual")
    assert "terms" not in by_id[rejected]
    assert by_id[unlinked]["terms"] == []
    assert diseases.facet("term") == {"diseases:D1": 1, "diseases:D3": 1}
    diseases.post("/annotators/finder/_annotate_corpus")
    diseases.run_jobs()
    again = {one["identifier"]: one for one in diseases.get("/documents/a")["annotations"]}
    assert again[person]["terms"] == by_id[person]["terms"]


def test_links_of_a_job_are_undone_with_it(diseases: Corpus) -> None:
    diseases.add_labels("diseases")
    person = diseases.annotate("a", "diseases", 7, 13)["identifier"]
    synchronize(diseases, "finder", annotateCorpus=True)
    (job,) = [one for one in diseases.get("/jobs") if one["type"] == "CORPUS_ANNOTATE"]
    diseases.post(f"/job/{job['id']}/_undo")
    diseases.run_jobs()
    assert [one["identifier"] for one in diseases.get("/documents/a")["annotations"]] == [person]
    assert not diseases.get("/documents/a")["annotations"][0].get("terms")
    assert diseases.facet("term") == {}


def test_export_and_import(diseases: Corpus, make_project: Any) -> None:
    """P-010, P-011: with its model, into another project; there it is synchronised again before it is up to date."""
    synchronize(diseases, "finder")
    path = f"/api/projects/{diseases.project.name}/gazetteers"
    archive = diseases.caller.post(f"{path}/finder/_export").content
    assert diseases.caller.post(f"{path}/_export", params={"gazetteers": "finder"}).status_code == 200
    diseases.post("/gazetteers/_export", 404, params={"gazetteers": "nothing"})
    other = make_project(lang="en")
    target = f"/api/projects/{other.name}/gazetteers"
    sent = {"file": ("models.zip", archive, "application/zip")}
    summary = diseases.caller.post(f"{target}/_import", files=sent).json()
    assert (summary["configs"], summary["ignored"], summary["models"]) == (["Finder"], [], 1)
    (found,) = diseases.caller.get(target).json()
    assert (found["name"], found["models"], found["uptodate"]) == ("finder", 1, False)
    again = diseases.caller.post(f"{target}/_import", files=sent).json()
    assert (again["configs"], again["ignored"]) == ([], ["Finder"])
    (file,) = diseases.caller.post("/api/uploads", files=sent).json()
    assert diseases.caller.post(f"{target}/_load", json=[file]).json()["ignored"] == ["Finder"]


def test_rights(diseases: Corpus, as_user: Any, client: Any) -> None:
    """P-038: readers read; changes need write access to the project and the engine."""
    path = f"/api/projects/{diseases.project.name}/gazetteers"
    assert client.get(path).status_code == 401
    stranger = as_user(client, "stranger")
    assert stranger.get(path).status_code == 404
    reader = as_user(client, "paul", f"readProject:{diseases.project.name}")
    assert reader.get(path).status_code == 200
    assert reader.post(path, json={"engine": engine(), "parameters": {}}).status_code == 403
    assert reader.post(f"{path}/finder/_synchronize").status_code == 403
    assert reader.delete(f"{path}/finder").status_code == 403
    assert reader.post(f"{path}/finder/_export").status_code == 403
    grants = (f"readProject:{diseases.project.name}", f"writeProject:{diseases.project.name}")
    writer = as_user(client, "luc", *grants)
    assert writer.post(f"{path}/finder/_synchronize").status_code == 403, "without useEngine"
    writer = as_user(client, "luc", *grants, "useEngine:*")
    assert writer.post(f"{path}/finder/_synchronize", params={"annotateCorpus": True}).status_code == 403
    assert writer.post(f"{path}/finder/_synchronize").status_code == 200
