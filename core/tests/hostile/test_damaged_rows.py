"""One damaged row breaks no list: the other rows are listed; the damaged one is marked, logged and can be deleted."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import JSON, Column, Table, select, text
from support.factories import Corpus, document

from annotarium.db.corruption import holds_timestamps
from annotarium.db.models import (
    Base,
    Experiment,
    Group,
    Job,
    JobItem,
    Label,
    LabelSet,
    Plan,
    Project,
    RelationName,
    Role,
    SavedSearch,
    Suggester,
    User,
    Vectorization,
)
from annotarium.db.unit_of_work import unit_of_work

MOMENTS = (2**62, -(2**62), 10**18, -(2**63), 2**63 - 1, 253_402_300_800_000)
SHAPES = ([], {}, "text", 42, [[], {}], {"pipeline": 7}, [1, None], {"a": {"b": [None]}})
NO_JSON = ("{broken", "", "[1,", "NaN")


@dataclass(frozen=True)
class Listed:
    """A list of rows: where it is read, and two rows of its table, of which one will be damaged.

    Attributes:
        sound, damaged: the names of the rows in the response.
        shown: whether the damaged row must be in the response too.
    """

    paths: tuple[str, ...]
    table: str
    sound: str
    damaged: str
    key: dict[str, Any]
    shown: bool = True
    posted: bool = False


@pytest.fixture
def corpus(client: Any, as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]]) -> Corpus:
    corpus = Corpus(as_admin, make_project(), run_jobs)
    corpus.add(
        document("sound", "Ada met Bob.", ("Ada", "person"), ("Bob", "person")),
        document("hurt", "Eve met Dan.", ("Eve", "person"), ("Dan", "person"), metadata={"source": "web"}),
        document("cut", "One two.", categories=[{"labelName": "person"}]),
    )
    return corpus


def _rows(statement: str, **values: Any) -> list[Any]:
    with unit_of_work(actor="tests", write=True) as unit:
        result = unit.session.connection().execute(text(statement), values)
        return list(result) if result.returns_rows else []


def _table(name: str) -> Table:
    return Base.metadata.tables[name]


def _where(key: dict[str, Any]) -> str:
    return " AND ".join(f'"{name}" = :key_{name}' for name in key)


def _store(listed: Listed, column: Column[Any], value: str | int | None) -> None:
    postgresql_cast = "CAST(:value AS JSONB)" if isinstance(column.type, JSON) and not _is_sqlite() else ":value"
    keys = {f"key_{name}": one for name, one in listed.key.items()}
    _rows(
        f'UPDATE {listed.table} SET "{column.name}" = {postgresql_cast} WHERE {_where(listed.key)}', value=value, **keys
    )


def _is_sqlite() -> bool:
    with unit_of_work(actor="tests", write=False) as unit:
        return unit.session.connection().dialect.name == "sqlite"


def _damages(table: Table) -> Iterator[tuple[Column[Any], str | int]]:
    for column in table.c:
        if column.name == "deleted_at":
            continue  # a value in this column hides the row
        if holds_timestamps(column):
            yield from ((column, moment) for moment in MOMENTS)
        elif isinstance(column.type, JSON):
            yield from ((column, json.dumps(shape)) for shape in SHAPES)
            if _is_sqlite():  # PostgreSQL does not store such a text
                yield from ((column, words) for words in NO_JSON)


def _attack(corpus: Corpus, listed: Listed) -> None:
    keys = {f"key_{name}": one for name, one in listed.key.items()}
    for column, value in _damages(_table(listed.table)):
        before = _rows(f'SELECT "{column.name}" FROM {listed.table} WHERE {_where(listed.key)}', **keys)
        assert before, f"no row {listed.key} in {listed.table}"
        _store(listed, column, value)
        for path in listed.paths:
            method = corpus.caller.post if listed.posted else corpus.caller.get
            answer = method(path)
            told = f"{path} with {listed.table}.{column.name} = {value!r}: {answer.status_code} {answer.text[:300]}"
            assert answer.status_code == 200, told
            assert listed.sound in answer.text, told
            assert not listed.shown or listed.damaged in answer.text, told
            json.loads(answer.text)
        kept = before[0][0]
        _store(listed, column, json.dumps(kept) if isinstance(kept, dict | list) else kept)


NAMES = {"name": "zz-{}", "label": "zz-{}"}


def _make(corpus: Corpus, model: type[Any], which: str, **values: Any) -> dict[str, Any]:
    """Insert a row named `zz-<which>` and return its primary key."""
    columns = model.__table__.c
    common: dict[str, Any] = {name: words.format(which) for name, words in NAMES.items() if name in columns}
    if "project_id" in columns:
        common["project_id"] = corpus.project.id
    with unit_of_work(actor="tests", write=True) as unit:
        row = model(**common | values)
        unit.session.add(row)
        unit.session.flush()
        return {column.name: getattr(row, column.name) for column in model.__table__.primary_key.columns}


def _value(model: type[Any], column: str, **where: Any) -> Any:
    with unit_of_work(actor="tests", write=False) as unit:
        return unit.session.scalar(select(getattr(model, column)).filter_by(**where))


Case = tuple[type[Any], tuple[str, ...], dict[str, Any]]
ENGINE = {"engine": "crf"}
CASES: list[Case] = [
    (Project, ("/api/projects", "/api/projects?computeMetrics=true", "/api/projects/annotators_by_type"), {}),
    (LabelSet, ("{p}/label_sets", "{p}/label_sets?includeLabels=true"), {}),
    (Label, ("{p}/labels", "{p}/label_sets?includeLabels=true&includeLabelsCount=true"), {"color": "#123456"}),
    (RelationName, ("{p}/relation_names",), {"color": "#123456"}),
    (Experiment, ("{p}/experiments", "{p}/modelMetrics", "{p}/annotators_by_type"), ENGINE | {"models": 1}),
    (Suggester, ("{p}/suggesters",), ENGINE),
    (Plan, ("{p}/plans", "{p}/annotators_by_type"), {"parameters": {"pipeline": []}}),
    (SavedSearch, ("{p}/saved_searches",), {"kind": "segments", "search": {"query": "x"}, "shared": True}),
    (Job, ("{p}/jobs", "/api/jobs"), {"type": "UNSPECIFIED", "function": "dummy", "state": "done"}),
    (User, ("/api/users", "/api/users?adminData=true"), {"password_hash": "x"}),
    (Group, ("/api/groups",), {}),
    (Role, ("/api/roles",), {"type": "user"}),
    (Vectorization, ("{p}/vectorizers",), {"component": "hashing"}),
]


def _own(corpus: Corpus, model: type[Any], which: str, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values that a row of the table needs besides its names."""
    own = dict(values)
    if model is Job:
        own |= {"id": f"{which}{corpus.project.id}", "description": f"zz-{which}", "status": "COMPLETED"}
    elif model is User:
        own |= {"username": f"zz-{which}", "profilename": f"zz-{which}"}
    elif model is Role:
        own |= {"rolename": f"zz-{which}"}
    elif model is Label:
        own |= {"label_set_id": _value(LabelSet, "id", project_id=corpus.project.id)}
    elif model is Project:
        own |= {"nature": "sequence_labelling", "owner_id": None, "group_id": None}
    return own


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__tablename__)
def test_lists_survive_a_damaged_row(corpus: Corpus, case: Case) -> None:
    """Every list: with each timestamp out of range and each JSON column of a wrong type, the other row is listed."""
    model, paths, values = case
    keys = {}
    for which in ("sound", "hurt"):
        keys[which] = _make(corpus, model, which, **_own(corpus, model, which, values))
    places = tuple(path.format(p=corpus.path) for path in paths)
    first, others = places[0], places[1:]
    _attack(corpus, Listed((first,), model.__tablename__, "zz-sound", "zz-hurt", keys["hurt"]))
    _attack(corpus, Listed(others, model.__tablename__, "", "", keys["hurt"], shown=False))


def test_a_damaged_project_is_listed_and_deletable(
    corpus: Corpus, make_project: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """A project of the year 146140482 is marked as damaged, logged once, and can be deleted."""
    hurt = make_project("hurt-project")
    path = f"/api/projects/{hurt.name}"
    own = Listed((f"{path}/_info", f"{path}/config"), "projects", hurt.name, hurt.name, {"id": hurt.id})
    _attack(corpus, own)
    _store(own, _table("projects").c.created_at, 2**62)
    for _ in range(3):
        (shown,) = [one for one in corpus.caller.get("/api/projects").json() if one["name"] == hurt.name]
        assert shown["damaged"] == ["created_at"]
    assert corpus.caller.delete(path).status_code == 200
    assert hurt.name not in corpus.caller.get("/api/projects").text


def test_document_lists_survive_damaged_documents_and_labelling(corpus: Corpus) -> None:
    """With a damaged document, annotation, category, segment or suggestion, the lists and facets of documents are
    returned.
    """
    p = corpus.path
    hurt = {
        "id": _value(
            Base.metadata.tables and _model("documents"), "id", identifier="hurt", project_id=corpus.project.id
        )
    }
    reads = (f"{p}/documents", f"{p}/documents?fields=identifier,createdDate,metadata", f"{p}/dataset", f"{p}/metadata")
    _attack(corpus, Listed(reads[:3], "documents", "sound", "hurt", hurt, shown=False))
    _attack(
        corpus,
        Listed(
            (f"{p}/documents/_search?facet=true", f"{p}/documents/_search?sort=createdDate"),
            "documents",
            "sound",
            "hurt",
            hurt,
            posted=True,
        ),
    )
    on = [f"{p}/documents", f"{p}/documents/hurt", f"{p}/documents/hurt/_history", f"{p}/annotationMetrics"]
    for table in ("annotations", "segments"):
        key = _first(table, hurt["id"])
        _attack(corpus, Listed(tuple(on), table, "", "", key, shown=False))
        _attack(corpus, Listed((f"{p}/segments/_search?facet=true",), table, "Ada", "", key, shown=False, posted=True))
    cut = {"id": _value(_model("documents"), "id", identifier="cut", project_id=corpus.project.id)}
    _attack(
        corpus,
        Listed(
            (f"{p}/documents", f"{p}/documents/cut"), "categories", "", "", _first("categories", cut["id"]), shown=False
        ),
    )


def _model(table: str) -> type[Any]:
    (found,) = [mapper.class_ for mapper in Base.registry.mappers if mapper.class_.__tablename__ == table]
    return found


def _first(table: str, document_id: int) -> dict[str, Any]:
    names = [column.name for column in _table(table).primary_key.columns]
    chosen = ", ".join(f'"{name}"' for name in names)
    rows = _rows(f"SELECT {chosen} FROM {table} WHERE document_id = :id", id=document_id)
    return dict(zip(names, rows[0], strict=True))


def test_report_items_survive_a_damaged_row(corpus: Corpus) -> None:
    job = _make(
        corpus,
        Job,
        "job",
        id=f"r{corpus.project.id}",
        type="UNSPECIFIED",
        function="dummy",
        status="COMPLETED",
        state="done",
    )
    for which in ("sound", "hurt"):
        _make(corpus, JobItem, which, job_id=job["id"], item=f"zz-{which}", outcome="imported")
    key = {"job_id": job["id"], "item": "zz-hurt"}
    _attack(corpus, Listed((f"{corpus.path}/job/{job['id']}/items",), "job_items", "zz-sound", "zz-hurt", key))


def test_a_damaged_saved_search_gives_an_error_message(corpus: Corpus) -> None:
    """It gives an error with a message, not an unexpected one."""
    key = _make(corpus, SavedSearch, "hurt", kind="segments", search={"query": "x"}, shared=True)
    for shape in SHAPES:
        _store(Listed((), "saved_searches", "", "", key), SavedSearch.__table__.c.search, json.dumps(shape))
        answer = corpus.caller.post(f"{corpus.path}/segments/_do_search", json={}, params={"savedSearch": "zz-hurt"})
        assert answer.status_code in (200, 409), answer.text


DELETIONS = {
    LabelSet: "{p}/label_sets/zz-doomed",
    Label: "{p}/labels/zz-doomed",
    RelationName: "{p}/relation_names/zz-doomed",
    Experiment: "{p}/experiments/zz-doomed",
    Suggester: "{p}/suggesters/zz-doomed",
    Plan: "{p}/plans/zz-doomed",
    SavedSearch: "{p}/saved_searches/zz-doomed",
    User: "/api/users/zz-doomed",
    Group: "/api/groups/zz-doomed",
    Role: "/api/roles/zz-doomed",
}


@pytest.mark.parametrize(
    "case", [case for case in CASES if case[0] in DELETIONS], ids=lambda case: case[0].__tablename__
)
def test_damaged_rows_can_be_deleted(corpus: Corpus, case: Case) -> None:
    """With every timestamp and every JSON column of the row invalid at the same time."""
    model, _, values = case
    key = _make(corpus, model, "doomed", **_own(corpus, model, "doomed", values))
    listed = Listed((), model.__tablename__, "", "", key)
    for column in model.__table__.c:
        if holds_timestamps(column) and column.name != "deleted_at":
            _store(listed, column, 2**62)
        elif isinstance(column.type, JSON):
            _store(listed, column, json.dumps([{"a": 1}, None]))
    path = DELETIONS[model].format(p=corpus.path)
    answer = corpus.caller.delete(path)
    assert answer.status_code in (200, 204), f"{path}: {answer.status_code} {answer.text[:300]}"


def test_damaged_documents_are_indexed(corpus: Corpus) -> None:
    """The index is built with the damaged document in it, and the other documents are found."""
    key = {"id": _value(_model("documents"), "id", identifier="hurt", project_id=corpus.project.id)}
    listed = Listed((), "documents", "", "", key)
    _store(listed, _table("documents").c.created_at, 2**62)
    _store(listed, _table("documents").c.metadata, json.dumps(["no object"]))
    corpus.post("/_reindex")
    corpus.run_jobs()
    found = corpus.post("/documents/_search", params={"facet": True, "query": "met"})
    assert {one["document"]["identifier"] for one in found["hits"]} >= {"sound", "hurt"}
