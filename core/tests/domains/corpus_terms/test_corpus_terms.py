"""Candidates for terms: found by a job, listed in pages, accepted into a lexicon, refused."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.vocabularies import add_lexicon

LISTED = "/lexicons/_candidates"


@pytest.fixture
def found(corpus: Corpus) -> Corpus:
    """Texts with a frequent sequence and an annotation without a term; candidates have been found."""
    corpus.add(
        document("a", "A severe cough. Then severe cough and pertussis.", ("pertussis", "Disease")),
        document("b", "Again a severe cough with asthma.", ("asthma", "Disease")),
    )
    add_lexicon(corpus)
    first = corpus.post(LISTED)
    assert (first["candidates"], first["total"]["value"], first["job"]["type"]) == ([], 0, "PROCESS_CANDIDATES")
    corpus.run_jobs()
    return corpus


def texts(corpus: Corpus, **parameters: Any) -> list[str]:
    return [one["text"] for one in corpus.post(LISTED, params=parameters)["candidates"]]


def test_candidates_of_annotations_and_of_texts(found: Corpus) -> None:
    """Forms of terms are no candidates; each has counts and an example in its context."""
    page = found.post(LISTED)
    assert ("job" in page, "computedAt" in page) == (False, True)
    by_text = {one["text"]: one for one in page["candidates"]}
    assert set(by_text) == {"severe cough", "pertussis"}
    cough, spans = by_text["severe cough"], by_text["pertussis"]
    assert (cough["source"], cough["count"], cough["documents"]) == ("phrases", 3, 2)
    assert (spans["source"], spans["count"], spans["labelName"]) == ("annotations", 1, "Disease")
    for one in by_text.values():
        example = one["example"]
        assert example["text"][example["start"] : example["end"]].casefold() == one["text"].casefold()
        assert example["documentIdentifier"] in ("a", "b")
    assert texts(found, source="phrases") == ["severe cough"]
    assert texts(found, source="annotations") == ["pertussis"]
    assert texts(found, size=1, **{"from": 1}) == [page["candidates"][1]["text"]]
    found.post(LISTED, 400, params={"size": 100_000})


def test_a_candidate_becomes_a_term(found: Corpus) -> None:
    """It is not proposed again, neither now nor after the next search."""
    body = {"text": "severe cough", "lexicon": "diseases"}
    answer = found.post("/lexicons/_accept_candidate", json=body)
    assert (answer["term"]["preferredForm"], "before" in answer) == ("severe cough", False)
    assert texts(found) == ["pertussis"]
    found.post(LISTED, params={"refresh": True})
    found.run_jobs()
    assert texts(found) == ["pertussis"]
    found.post("/lexicons/_accept_candidate", 404, json=body | {"lexicon": "nothing"})
    found.post("/lexicons/_accept_candidate", 400, json=body | {"text": "x" * 300})


def test_a_candidate_becomes_a_form_of_a_term(found: Corpus) -> None:
    """The term as it was is in the response, for undo."""
    body = {"text": "pertussis", "lexicon": "diseases", "identifier": "D3"}
    answer = found.post("/lexicons/_accept_candidate", json=body)
    assert answer["term"]["properties"]["altForms"] == ["rubeola", "pertussis"]
    assert answer["before"]["properties"]["altForms"] == ["rubeola"]
    found.post("/lexicons/_accept_candidate", 404, json=body | {"identifier": "nothing"})


def test_a_refused_candidate_is_remembered(found: Corpus) -> None:
    found.post("/lexicons/_refuse_candidate", 204, json={"text": "Severe  Cough"})
    assert texts(found) == ["pertussis"]
    found.post(LISTED, params={"refresh": True})
    found.run_jobs()
    assert texts(found) == ["pertussis"]
    found.post("/lexicons/_refuse_candidate", 204, json={"text": "severe cough", "refused": False})
    found.post(LISTED, params={"refresh": True})
    found.run_jobs()
    assert set(texts(found)) == {"severe cough", "pertussis"}


def test_rights(found: Corpus, as_user: Any, client: Any) -> None:
    """P-014; candidates quote other people's work, which not everybody may read."""
    name = found.project.name
    path = f"/api/projects/{name}{LISTED}"
    assert client.post(path).status_code == 401
    grants = (f"readProject:{name}", f"writeProject:{name}")
    assert as_user(client, "luc", *grants).post(path).status_code == 403
    assert as_user(client, "luc", *grants, "importTerms").post(path).status_code == 403, "without readUserAnnot"
    reading = ("readUserAnnot:*", "readModeAnnot:all")
    assert as_user(client, "luc", *grants, "importTerms", *reading).post(path).status_code == 200
    assert as_user(client, "eve", "importTerms").post(path).status_code == 404
