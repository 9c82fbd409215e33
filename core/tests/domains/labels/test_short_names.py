"""Short names of labels: drawn on the text, at most 8 characters, one label each."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus
from support.forged_archives import files_of, pack_files, update_manifest
from support.project_archives import export_project, import_project


def short_names(corpus: Corpus) -> dict[str, Any]:
    return {label["name"]: label.get("shortName") for label in corpus.get("/labels")}


def test_it_is_set_changed_and_taken_away(corpus: Corpus) -> None:
    made = corpus.post("/labels", json={"label": "Person", "shortName": " PER "})
    assert made["shortName"] == "PER"
    changed = corpus.patch("/labels/person", json={"shortName": "Pers."})
    assert (changed["shortName"], changed["version"]) == ("Pers.", made["version"] + 1)
    assert corpus.patch("/labels/person", json={"label": "Human"})["shortName"] == "Pers."
    corpus.patch("/labels/person", json={"shortName": ""})
    assert short_names(corpus) == {"person": None}
    assert corpus.get("/label_sets?includeLabels=true")[0]["labels"][0].get("shortName") is None


@pytest.mark.parametrize("wrong", ["123456789", "A B", "A\nB", "A\x00", 7])
def test_wrong_ones_are_refused(corpus: Corpus, wrong: Any) -> None:
    corpus.post("/labels", json={"label": "Place"})
    corpus.post("/labels", 400, json={"label": "Person", "shortName": wrong})
    corpus.patch("/labels/place", 400, json={"shortName": wrong})
    corpus.post("/labels/_list", 400, json={"labels": [{"label": "Ship"}, {"label": "Person", "shortName": wrong}]})
    assert short_names(corpus) == {"place": None}


def test_eight_characters_of_any_script_fit(corpus: Corpus) -> None:
    for label, name in (("Long", "ABCDEFGH"), ("Chinese", "组织机构"), ("Flag", "\U0001f1eb\U0001f1f7"), ("C", "C++")):
        assert corpus.post("/labels", json={"label": label, "shortName": name})["shortName"] == name


def test_two_labels_have_no_short_name_in_common(corpus: Corpus) -> None:
    corpus.post("/labels", json={"label": "Person", "shortName": "PER"})
    refused = corpus.post("/labels", 409, json={"label": "Period", "shortName": "per"})
    assert "Person" in refused["message"]
    assert refused["fix"]
    corpus.post("/labels", json={"label": "Period"})
    corpus.patch("/labels/period", 409, json={"shortName": "Per"})
    corpus.patch("/labels/person", json={"shortName": "per"})
    assert short_names(corpus) == {"person": "per", "period": None}
    corpus.delete("/labels/person")
    corpus.patch("/labels/period", json={"shortName": "PER"})


def test_a_list_gives_them_all_or_none(corpus: Corpus) -> None:
    listed = [{"label": "Person", "shortName": "P"}, {"label": "Place", "shortName": "p"}]
    corpus.post("/labels/_list", 409, json={"labels": listed})
    assert short_names(corpus) == {}
    listed[1]["shortName"] = "PL"
    corpus.post("/labels/_list", json={"labels": listed})
    assert short_names(corpus) == {"person": "P", "place": "PL"}


def test_undoing_a_deletion_brings_it_back_unless_it_is_used_meanwhile(corpus: Corpus) -> None:
    corpus.post("/labels/_list", json={"labels": [{"label": "A", "shortName": "X"}, {"label": "B", "shortName": "Y"}]})
    jobs = [corpus.delete(f"/labels/{name}")["removeJob"]["id"] for name in "ab"]
    corpus.post("/labels", json={"label": "C", "shortName": "y"})
    for job in jobs:
        corpus.post(f"/job/{job}/_undo")
        corpus.run_jobs()
    assert short_names(corpus) == {"a": "X", "b": None, "c": "y"}


def test_a_project_like_this_one_has_them(corpus: Corpus) -> None:
    corpus.post("/labels", json={"label": "Person", "shortName": "PER"})
    made = corpus.post("/_use_as_template", json={"label": "Second"})
    labels = corpus.caller.get(f"/api/projects/{made['projectName']}/labels").json()
    assert [label["shortName"] for label in labels] == ["PER"]


def test_an_archive_has_them_and_wrong_ones_in_it_are_refused(corpus: Corpus) -> None:
    """T-009: an imported archive has the content of the exported project."""
    corpus.post("/labels", json={"label": "Person", "shortName": "PER"})
    corpus.post("/labels", json={"label": "Place"})
    data = export_project(corpus)
    name, _ = import_project(corpus, data)
    labels = corpus.caller.get(f"/api/projects/{name}/labels").json()
    assert [label.get("shortName") for label in labels] == ["PER", None]
    files = files_of(data)
    (table,) = (path for path, body in files.items() if b'"short_name":"PER"' in body)
    files[table] = files[table].replace(b'"short_name":"PER"', b'"short_name":"P E R"')
    update_manifest(files)
    _, job = import_project(corpus, pack_files(files))
    assert (job["status"], "P E R" in str(job)) == ("FAILED", True)


def test_who_may_not_write_labels_sets_none(corpus: Corpus, as_user: Any, client: Any) -> None:
    corpus.post("/labels", json={"label": "Ship"})
    path, body = f"{corpus.path}/labels/ship", {"shortName": "SH"}
    assert client.patch(path, json=body).status_code == 401
    assert as_user(client, "nora", "Annotator").patch(path, json=body).status_code == 404
    reader = as_user(client, "rita", "Reader", "readProject:*", "writeProject:*")
    assert reader.patch(path, json=body).status_code == 403
    assert short_names(corpus) == {"ship": None}
