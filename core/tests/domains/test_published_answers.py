"""Real responses of the main operations, validated against the published description and against ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support import published_api as description
from support.factories import Corpus, document
from support.real_corpora import entity_documents

pytestmark = pytest.mark.skipif(not description.PUBLISHED_FILE.is_file(), reason=description.MISSING)
Check = Callable[[str, Any], Any]


def problems(described: Any, identifier: str, answer: Any) -> list[str]:
    """Differences between a response and the description of its operation; additional keys are allowed (conflicts 24,
    27, 36).
    """
    (operation,) = [one for one in description.operations(described).values() if one["operationId"] == identifier]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    validator = Draft202012Validator(schema | {"components": described["components"]})
    return [
        f"{identifier} {error.json_path}: {error.message[:200]}"
        for error in validator.iter_errors(answer)
        if error.validator != "additionalProperties"
    ]


@pytest.fixture
def check(app: Any) -> Check:
    """`check("getLabels", answer)` returns the response if both descriptions allow it."""

    def compare(identifier: str, answer: Any) -> Any:
        assert problems(description.read_published_api(), identifier, answer) == []
        assert problems(app.openapi(), identifier, answer) == []
        return answer

    return compare


FILM = document(
    "film-1",
    "Amelie is a film. It plays in Paris.",
    ("Paris", "place"),
    metadata={"year": "2001", "cast": ["Audrey Tautou"]},
    categories=[{"labelName": "comedy"}],
    altTexts=[{"name": "short", "text": "A film in Paris."}],
)


def test_responses_of_imports_and_jobs(corpus: Corpus, check: Check) -> None:
    started = corpus.post("/documents/_import_documents", json=[FILM])
    check("launchJsonDocumentsImport", started)
    corpus.run_jobs()
    assert check("getJob", corpus.get(f"/job/{started['id']}"))["status"] == "COMPLETED"
    assert check("getJobs", corpus.get("/jobs"))
    assert check("getAllJobs", corpus.caller.get("/api/jobs").json())


def test_responses_of_documents_and_segments(corpus: Corpus, check: Check) -> None:
    corpus.add(FILM)
    found = corpus.post("/documents/_search", params={"query": "paris", "facet": True, "highlight": True})
    assert check("searchDocuments", found)["total"] == {"value": 1, "relation": "eq"}
    found = corpus.post("/segments/_search", params={"query": "paris", "facet": True, "highlight": True})
    (hit,) = check("searchSegments", found)["hits"]
    check("findSimilarSegments", corpus.post("/segments/_similar", params={"segid": hit["_id"]}))
    body = {"search": {"query": "film"}, "output": {"facets": True, "highlight": True}}
    check("searchSegments2", corpus.post("/segments/_do_search", json=body))
    around = {"documentIdentifier": "film-1", "segmentStart": hit["segment"]["start"], "contextOutput": "all"}
    check("getSegmentContext", corpus.post("/segments/_context", params=around))
    check("getDocument", corpus.get("/documents/film-1"))
    check("exportDocuments", corpus.get("/documents"))
    check("exportDocumentsSample", corpus.post("/documents/_sample"))
    check("exportDataset", corpus.get("/dataset"))
    check("deleteDocument", corpus.delete("/documents/film-1"))


def test_responses_of_labels_annotations_and_categories(corpus: Corpus, check: Check) -> None:
    corpus.add(FILM)
    check("createLabelSet", corpus.post("/label_sets", json={"name": "kinds", "label": "Kinds"}))
    check("createLabel", corpus.post("/labels", json={"label": "Person"}))
    assert check("getLabels", corpus.get("/labels", params={"includeCount": True}))
    assert check("getLabelSets", corpus.get("/label_sets"))
    made = check("createAnnotation", corpus.annotate("film-1", "person", 0, 6))
    check("updateAnnotation", corpus.patch(f"/annotations/{made['identifier']}", json={"status": "KO"}))
    check("deleteAnnotation", corpus.delete(f"/annotations/{made['identifier']}"))
    check("countAnnotations", corpus.post("/annotations/_count"))
    check("annotationCreatorsCount", corpus.post("/annotations/_count_creators"))
    category = check(
        "createDocumentCategory",
        corpus.post("/categories", json={"documentIdentifier": "film-1", "labelName": "person", "status": "OK"}),
    )
    check("updateCategory", corpus.patch(f"/categories/{category['identifier']}", json={"status": "KO"}))
    check("deleteCategory", corpus.delete(f"/categories/{category['identifier']}"))
    check("getCorpusMetrics", corpus.get("/corpusMetrics"))
    check("getAnnotationMetrics", corpus.get("/annotationMetrics"))
    check("getCategoriesMetrics", corpus.get("/categoriesMetrics"))
    check("deleteLabelByName", corpus.delete("/labels/person"))


def test_responses_of_projects_users_groups_and_roles(corpus: Corpus, check: Check) -> None:
    def get(path: str, **parameters: Any) -> Any:
        answer = corpus.caller.get(f"/api{path}", params=parameters)
        assert answer.status_code == 200, answer.text
        return answer.json()

    everything = {"computeMetrics": True, "computeOwners": True, "computeEngines": True}
    assert check("getProjects", get("/projects", **everything))
    check("getProjectInfo", corpus.get("/_info", params={"computeMetrics": True}))
    check("getConfig", corpus.get("/config"))
    made = corpus.caller.post("/api/groups", json={"label": "Press"})
    check("addGroup", made.json())
    assert check("getGroups", get("/groups"))
    check("getGroup", get(f"/groups/{made.json()['name']}"))
    assert check("getRoles", get("/roles"))
    assert check("getPermissions", get("/permissions"))
    assert check("getUsers", get("/users"))["users"]
    check("getUser", get("/users/root"))
    check("getUserGroups", get("/users/root/groups"))
    check("getUserProfile", get("/users/root/profile"))
    check("getUserShares", corpus.get("/shares/users"))
    assert check("getServices", get("/services"))
    assert check("getProjectServices", corpus.get("/services"))


def test_responses_of_models_and_suggestions(corpus: Corpus, check: Check) -> None:
    documents = entity_documents(60)
    for one in documents[30:]:
        del one["annotations"], one["reviewed"]
    corpus.add(*documents)
    fast = {"iterations": 5}
    made = check("createExperiment", corpus.post("/experiments", json={"engine": "crf", "parameters": fast}))
    check("launchExperiment", corpus.post(f"/experiments/{made['name']}/_launch"))
    assert check("getExperiments", corpus.get("/experiments"))[0]["running"] is True
    corpus.run_jobs()
    trained = check("getExperiment", corpus.get(f"/experiments/{made['name']}"))
    assert trained["report"]["microAvg"]["support"] > 0
    check("getModelMetrics", corpus.get("/modelMetrics"))
    assert check("getAnnotatorsByType", corpus.get("/annotators_by_type"))["learner"]
    assert check("getAllAnnotatorsByType", corpus.caller.get("/api/projects/annotators_by_type").json())
    options = {"learner_parameters": fast, "minimum_score": 0.1}
    started = corpus.post("/suggesters", json={"engine": "margin", "parameters": options})
    check("createSuggester", started)
    check("startSuggester", corpus.post(f"/suggesters/{started['name']}/_start"))
    corpus.run_jobs()
    assert check("getSuggesters", corpus.get("/suggesters"))
    assert check("getSuggestions", corpus.get("/suggestions", params={"facet": True}))["suggestions"]
