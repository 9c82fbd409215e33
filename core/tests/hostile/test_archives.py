"""Forged archives: no value is imported that a request could not have created, and no list fails on an imported one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import JSON, Float
from support.factories import Corpus, document
from support.forged_archives import Files, files_of, forge_archive, rows_of, set_first_row_value
from support.hostile_test_sizes import hostile_test_size
from support.project_archives import export_project, upload_archive
from support.vocabularies import add_gazetteer

from annotarium.content.validation import InvalidContent
from annotarium.db.corruption import holds_timestamps
from annotarium.db.identifiers import new_id
from annotarium.db.models import (
    Document,
    Experiment,
    Group,
    Project,
    RankingExperiment,
    RankingResult,
    Suggester,
    Suggestion,
    TermCandidate,
    Vectorization,
)
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.projects.archive.archive_format import (
    EXCLUDED_SETTINGS,
    RECOMPUTED_COLUMNS,
    archived_tables,
    document_tables,
    referred_table,
)
from annotarium.domains.projects.archive.readable_rows import READING_RULES
from annotarium.domains.projects.archive.repository import table_of
from annotarium.domains.projects.archive.row_encoding import checked_value
from annotarium.domains.projects.archive.value_rules import RULES
from annotarium.registry.model_store import UNTRAINED_VALUES, model_folder
from annotarium.settings import get_settings

TABLES = {"projects": table_of(Project), "documents": table_of(Document)} | {
    name: one.table for name, one in archived_tables().items()
}
FORGED: dict[tuple[str, str], list[Any]] = {
    ("labels", "color"): ['red;"><b>x', "#12345", "url(//evil)", "#12345g"],
    ("relation_names", "color"): ['red;"><b>x'],
    ("projects", "lang"): ["zz"],
    ("projects", "nature"): ["nothing"],
    ("projects", "metafacets"): [[{"name": 7}], [["x"]]],
    ("projects", "properties"): [{"segmenter": {"name": 7}}, {"segmenter": []}],
    ("documents", "metadata"): [{"a": {"b": {}}}, {"a": [[1]]}],
    ("documents", "identifier"): [".", "..", " "],
    ("annotations", "status"): ["ok", "XX"],
    ("annotations", "creation_mode"): ["by_magic"],
    ("annotations", "terms"): [["x"], {"a": 1}],
    ("annotations", "fragments"): [[[0]], ["ab"], [[3, 1]], [[0, 10**9]]],
    ("annotations", "start"): [-1, 10**6],
    ("annotations", "end"): [0, 10**6],
    ("categories", "creation_mode"): ["none"],
    ("categories", "start"): [-1, 10**6],
    ("segments", "start"): [-1],
    ("segments", "ordinal"): [-1, 9],
    ("suggestions", "confidence"): [-0.5, 1e300],
    ("suggestions", "priority"): [7],
    ("suggestions", "annotations"): [[{"labelName": 7}], [{}], ["x"]],
    ("experiments", "quality"): [101, -1],
    ("experiments", "models"): [-1],
    ("experiments", "history"): [[{}], ["x"], [{"timestamp": 2**62}]],
    ("saved_searches", "kind"): ["people"],
    ("saved_searches", "search"): [
        {"size": -1},
        {"filtering": 7},
        {"query": "(a AND", "advanced": True},
        {"query": ["x"]},
    ],
    ("lexicons", "name"): ["a/b", ""],
    ("lexicons", "color"): ["red"],
    ("lexicons", "terms_version"): [-1],
    ("terms", "identifier"): ["", " ", "x" * 513],
    ("terms", "preferred_form"): ["x" * 1_001],
    ("terms", "properties"): [{"broader": 7}, {"altForms": [1]}, {"related": ["ada"]}, {"broader": ["x" * 513]}],
    ("gazetteers", "terms"): [-1],
    ("gazetteers", "models"): [-1],
    ("gazetteers", "lexicon_versions"): [{"people": 7}, ["people"]],
    ("term_candidates", "state"): ["maybe"],
    ("term_candidates", "kind"): ["guess"],
    ("term_candidates", "occurrences"): [-1],
    ("term_candidates", "examples"): [["x"], [{"start": "a"}], [{}]],
    ("term_candidates", "similar"): [["x"], [{"lexicon": 7}]],
    ("passage_judgements", "grade"): [-1, 7],
    ("passage_judgements", "start"): [-1, 10**6],
    ("ranking_experiments", "kind"): ["speed"],
    ("answer_feedback", "verdict"): ["great"],
    ("answer_feedback", "question"): ["", "x" * 2_001],
    ("answer_feedback", "answer"): ["x" * 20_001],
    ("answer_feedback", "comment"): ["x" * 2_001],
    ("answer_feedback", "question_identifier"): [""],
    ("answer_feedback", "details"): [
        {"passages": 7},
        {"passages": [{"documentIdentifier": "a", "start": 5, "end": 5}]},
        {"passages": [{"documentIdentifier": "a", "start": -1, "end": 5}]},
    ],
    ("preferences", "name"): ["password"],
    ("preferences", "value"): [7, {"person": {"a": 1}}],
    ("history", "before"): [{"project_id": 1}, {"start": -1}, {"document_id": 1}],
    ("history", "kind"): ["again"],
}
"""Values that no request accepts, by table and column; timestamps and JSON of wrong types are generated for all
columns.
"""
MOMENTS = (2**62, -(2**62), 10**18, 253_402_300_800_000, -62_135_596_800_001)
SHAPES = (7, "text", True)


@pytest.fixture(scope="module")
def archives() -> dict[str, bytes]:
    return {}


@pytest.fixture
def corpus(client: Any, as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]]) -> Corpus:
    """Return a project with rows in every archived table."""
    corpus = Corpus(as_admin, make_project(), run_jobs)
    corpus.add(
        document(
            "a",
            "# Ada\n\nAda met Bob here.",
            ("Ada", "person"),
            ("Bob", "person"),
            metadata={"year": 1833},
            altTexts=[{"name": "other", "text": "Somebody met somebody."}],
            categories=[{"labelName": "history"}],
            layout=[{"kind": "heading", "start": 0, "end": 5, "level": 1}],
        )
    )
    ends = [one["identifier"] for one in corpus.get("/documents/a")["annotations"][:2]]
    corpus.post("/relations", json={"documentIdentifier": "a", "name": "met", "source": ends[0], "target": ends[1]})
    corpus.patch(f"/annotations/{ends[0]}", json={"status": "KO"})
    corpus.post(
        "/comments", json={"documentIdentifier": "a", "text": "Is that so?", "target": "span", "start": 0, "end": 3}
    )
    verdict = {"question": "Who?", "answer": "Ada.", "verdict": "right", "comment": "Good"}
    passages = [{"documentIdentifier": "a", "start": 0, "end": 3, "cited": True}]
    corpus.post("/answers/_feedback", json=verdict | {"passages": passages})
    corpus.post("/questions", json={"identifier": "who", "text": "Who met Bob?", "answers": ["Ada"]})
    judgement = {"documentIdentifier": "a", "start": 0, "end": 3, "grade": 1}
    corpus.put("/questions/who/judgements", json=judgement)
    measured = {"kind": "ranking", "label": "Searches", "parameters": {"ranking": {"searchTypes": ["text"]}}}
    corpus.post("/ranking_experiments", json=measured)
    corpus.post("/experiments", json={"engine": "crf", "label": "Names"})
    corpus.post(
        "/plans",
        json={"label": "Plan", "parameters": {"pipeline": [{"vectorizer": "lsa", "parameters": {"dimension": 16}}]}},
    )
    corpus.post("/saved_searches", json={"label": "Mine", "kind": "segments", "search": {"query": "x"}})
    corpus.patch("/_preferences", json={"hotkeys": {"person": "p"}})
    corpus.post("/lexicons", json={"label": "People"})
    corpus.post("/lexicons/people", json={"identifier": "ada", "preferredForm": "Ada", "properties": {"note": "x"}})
    add_gazetteer(corpus, "people")
    example = {"documentIdentifier": "a", "documentTitle": "", "before": "", "text": "Bob", "after": " here."}
    with unit_of_work(actor="tests", write=True) as unit:
        session, project = unit.session, corpus.project.id
        candidate = {"key": "bob", "form": "Bob", "kind": "annotation", "label_name": "person", "occurrences": 1}
        examples = [example | {"start": 15, "end": 18}]
        similar = [{"lexicon": "people", "identifier": "ada", "preferredForm": "Ada"}]
        candidate |= {"documents": 1, "examples": examples, "similar": similar}
        session.add(TermCandidate(id=new_id(), project_id=project, **candidate))
        found = session.query(Document).filter_by(project_id=project, identifier="a").one()
        proposals = [{"labelName": "person", "start": 0, "end": 3, "text": "Ada", "score": 0.5}]
        session.add(Suggestion(project_id=project, document_id=found.id, start=0, end=9, annotations=proposals))
        session.add(Suggester(project_id=project, name="s", label="S", engine="margin"))
        session.add(
            TermCandidate(project_id=project, key="bob here", form="Bob here", kind="sequence", state="refused")
        )
        session.add(Vectorization(project_id=project, name="default", component="hashing"))
        experiment = session.query(RankingExperiment).filter_by(project_id=project).one()
        question = session.query(Document).filter_by(project_id=project, identifier="who").one()
        result = {"figures": [[10_000, 10_000, 10_000, 10_000, 10_000]], "quality": 10_000}
        session.add(RankingResult(project_id=project, experiment_id=experiment.id, question_id=question.id, **result))
    return corpus


def _cases() -> Iterator[tuple[str, str, Any]]:
    for name, table in TABLES.items():
        for column in table.c:
            left = EXCLUDED_SETTINGS if name == "projects" else RECOMPUTED_COLUMNS.get(name, {})
            if column.name in left or referred_table(column) is not None or column.name in ("id", "job_id"):
                continue
            given = list(FORGED.get((name, str(column.name)), ()))
            if holds_timestamps(column):
                given += MOMENTS
            elif isinstance(column.type, JSON) and (name, column.name) != ("preferences", "value"):
                given += SHAPES
            elif isinstance(column.type, Float):
                given += ["1", True, [0.5]]
            yield from ((name, str(column.name), value) for value in given)


def _change(data: bytes, name: str, column: str, value: Any) -> Callable[[Files], None]:
    """Put the value into its row; for columns that record a trained model, add a model file, since they are ignored
    without one.
    """

    def change(files: Files) -> None:
        set_first_row_value(name, column, value)(files)
        if name in ("experiments", "suggesters", "gazetteers") and column in UNTRAINED_VALUES:
            files[f"models/{name.removesuffix('s')}-{rows_of(data, name)[0]['id']}/5/model.json"] = b"{}"

    return change


def test_every_json_column_has_a_rule() -> None:
    """A new JSON column or table must declare what archives may contain in it."""
    missing = [
        f"{name}.{column.name}"
        for name, table in TABLES.items()
        for column in table.c
        if isinstance(column.type, JSON) and column.name not in RULES.get(name, {})
    ]
    assert missing == []
    strange = [f"{name}.{column}" for name, rules in RULES.items() for column in rules if column not in TABLES[name].c]
    assert strange == []


def _refused_alone(name: str, column: str, value: Any) -> bool:
    """Whether the value alone is refused, in whatever row it is."""
    try:
        checked_value(value, TABLES[name].c[column])
    except InvalidContent:
        return True
    return False


def test_forged_values_are_refused(corpus: Corpus) -> None:
    """Each value is refused with a message that names table and field (and the row, where there are rows); lists keep
    working.
    """
    data = export_project(corpus)
    for name in TABLES:
        assert name == "projects" or rows_of(data, name), f"the archive has no {name} to forge"
    cases = list(_cases())
    assert len(cases) > 120
    by_hand = [case for case in cases if not _refused_alone(*case)]
    chosen = cases if hostile_test_size(0, 1) else by_hand + random.Random(1).sample(cases, 6)
    before = corpus.caller.get("/api/projects").json()
    for name, column, value in chosen:
        told = f"{name}.{column} = {value!r}"
        sent = forge_archive(data, _change(data, name, column, value))
        body = {"id": upload_archive(corpus.caller, sent), "filename": "a.spa"}
        answer = corpus.caller.post("/api/projects/_load", json=body)
        if answer.status_code == 200:
            corpus.run_jobs()
            job = corpus.caller.get(f"/api/jobs/{answer.json()['id']}").json()
            assert job["status"] == "FAILED", told
            message = job["error"]["message"]
            assert "Row 1 of its" in message, f"{told}: {message}"
        else:
            assert answer.status_code == 400, f"{told}: {answer.text}"
            message = answer.json()["message"]
        named = column in message or column in ("start", "end", "identifier", "status", "creation_mode", "fragments")
        assert named or column == "ordinal", f"{told}: {message}"
    assert corpus.caller.get("/api/projects").json() == before, "nothing forged is there, and the list answers"


def test_a_forged_created_at_of_year_146140482_is_refused(corpus: Corpus) -> None:
    """A forged `created_at` once made the list of projects fail for all users who could see the project."""
    data = forge_archive(export_project(corpus), set_first_row_value("projects", "created_at", 2**62))
    answer = corpus.caller.post(
        "/api/projects/_load", json={"id": upload_archive(corpus.caller, data), "filename": "a.spa"}
    )
    assert answer.status_code == 400
    assert "created_at is not a date and time of the years 1 to 9999" in answer.json()["message"]
    assert corpus.caller.get("/api/projects").status_code == 200


def _loaded(corpus: Corpus, data: bytes) -> dict[str, Any]:
    """Import the archive and return the ended job."""
    body = {"id": upload_archive(corpus.caller, data), "filename": "a.spa"}
    started = corpus.caller.post("/api/projects/_load", json=body).json()
    corpus.run_jobs()
    ended: dict[str, Any] = corpus.caller.get(f"/api/jobs/{started['id']}").json()
    return ended


@pytest.mark.parametrize("more", [{"project_id": 1}, {"document_id": 1}, {"deleted_by": "x"}, {"start": -1}], ids=str)
def test_forged_history_cannot_change_other_rows(corpus: Corpus, more: dict[str, Any]) -> None:
    """Undo writes the fields of a history state into its row: an extra field could move it into another user's
    project.
    """
    data = export_project(corpus)
    state = next(row for row in rows_of(data, "history") if row.get("before"))["before"]
    sent = forge_archive(data, set_first_row_value("history", "before", state | more))
    started = corpus.caller.post(
        "/api/projects/_load", json={"id": upload_archive(corpus.caller, sent), "filename": "a"}
    ).json()
    corpus.run_jobs()
    job = corpus.caller.get(f"/api/jobs/{started['id']}").json()
    assert job["status"] == "FAILED", job
    assert "before has an invalid value" in job["error"]["message"]


def test_an_exported_archive_is_imported_without_refusals(corpus: Corpus) -> None:
    """The rules refuse nothing that the product exports."""
    job = _loaded(corpus, export_project(corpus))
    assert (job["status"], job["result"]["leftOut"]) == ("COMPLETED", {}), job


def test_every_archived_table_has_a_reading_rule() -> None:
    """A new table stays out of archives until it has a reading rule; only archived tables have one."""
    assert set(READING_RULES) == set(archived_tables())


SECRET = "secretword"


@pytest.fixture
def shared(corpus: Corpus, as_user: Any, client: Any) -> tuple[Corpus, Any]:
    """Return a project with secrets of other users, and a project manager who may not read their annotations."""
    name = corpus.project.name
    rights = ("exportProject", "useSearch", "readModeAnnot:all", "createProject", f"readProject:{name}")
    reader = as_user(client, "pm1", *rights)
    other = as_user(client, "pm2", "useSearch", "writeLabel", f"readProject:{name}", f"writeProject:{name}")
    search = {"label": SECRET, "kind": "segments", "search": {"query": SECRET}, "shared": False}
    assert other.post(f"{corpus.path}/saved_searches", json=search).status_code == 200
    assert other.patch(f"{corpus.path}/_preferences", json={"hotkeys": {SECRET: "s"}}).status_code == 200
    label = corpus.post("/labels", json={"label": SECRET, "name": SECRET})
    corpus.delete(f"/labels/{label['name']}")
    corpus.post("/relation_names", json={"name": SECRET})
    corpus.delete(f"/relation_names/{SECRET}")
    corpus.post("/plans", json={"label": SECRET, "parameters": {"pipeline": [{"vectorizer": "lsa"}]}})
    corpus.delete(f"/plans/{SECRET}")
    own = {"label": "own words", "kind": "segments", "search": {"query": "mine"}}
    assert reader.post(f"{corpus.path}/saved_searches", json=own).status_code == 200
    return corpus, reader


def test_an_archive_holds_nothing_that_its_creator_cannot_read(shared: tuple[Corpus, Any]) -> None:
    """Private searches and preferences of others, their annotations, deleted rows and histories are in no file of the
    archive.
    """
    corpus, reader = shared
    answer = reader.get(f"{corpus.path}/_export")
    assert answer.status_code == 200
    files = files_of(answer.content)
    for name, content in files.items():
        assert SECRET.encode() not in content, f"{name} holds what GET hides"
    searches = [one["label"] for one in rows_of(answer.content, "saved_searches")]
    assert searches == ["own words"]
    assert {one["label"] for one in reader.get(f"{corpus.path}/saved_searches").json()} == {"own words"}
    for table in ("annotations", "relations", "history", "preferences"):
        assert rows_of(answer.content, table) == [], table
    job = reader.post(f"{corpus.path}/_export_async").json()
    corpus.run_jobs()
    ended = reader.get(f"{corpus.path}/job/{job['id']}").json()
    assert "result" in ended, ended
    by_job = reader.get(f"/api{ended['result']['download']}").content
    assert all(SECRET.encode() not in content for content in files_of(by_job).values())


def test_documents_of_other_groups_are_not_archived(
    corpus: Corpus, as_user: Any, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Document-level access applies to every table that belongs to documents."""
    with unit_of_work(actor="tests", write=True) as unit:
        group = Group(name=f"closed{corpus.project.id}", label="Closed")
        unit.session.add(group)
        unit.session.flush()
        for found in unit.session.query(Document).filter_by(project_id=corpus.project.id):
            found.origin_group_id = group.id
    monkeypatch.setattr(get_settings(), "document_level_access", True)
    rights = ("exportProject", "readUserAnnot:*", "readModeAnnot:all", f"readProject:{corpus.project.name}")
    answer = as_user(client, "pm3", *rights).get(f"{corpus.path}/_export")
    for table in [one.table.name for one in document_tables()]:
        assert rows_of(answer.content, table) == [], table


def test_models_are_archived_with_the_permission_to_export_models(shared: tuple[Corpus, Any]) -> None:
    corpus, reader = shared
    with unit_of_work(actor="tests", write=False) as unit:
        row = unit.session.query(Experiment).filter_by(project_id=corpus.project.id).one()
    folder = model_folder(corpus.project.id, "experiment", row.id) / "5"
    folder.mkdir(parents=True)
    (folder / "model.json").write_text("{}")
    models = [name for name in files_of(export_project(corpus)) if name.startswith("models/")]
    assert len(models) == 1
    assert not [name for name in files_of(reader.get(f"{corpus.path}/_export").content) if name.startswith("models/")]
