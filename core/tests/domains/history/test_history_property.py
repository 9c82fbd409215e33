"""Whatever two people do, undo and redo: offsets stay right, the history tells all of it, the index says the same."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import select
from support.factories import Corpus, document
from support.hypothesis_example_count import hypothesis_example_count

from annotarium.content.labelling.changes import history_snapshot_of_row
from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.db.models import Annotation, Category, Document, History, Label, Relation
from annotarium.db.unit_of_work import unit_of_work
from annotarium.search.index_verification import verify
from annotarium.search.indexer import get_outbox_relay

TEXT = "Ana \U0001f469\u200d\U0001f469\u200d\U0001f467 Mar\u00eda in Paris. \u0645\u0631\u062d\u0628\u0627 Paris, Ana."
SENTENCES = [(0, 25), (26, 42)]
places = st.sampled_from([(0, 3), (4, 9), (10, 15), (10, 25), (19, 24), (26, 31), (38, 41)])
labels = st.sampled_from(["person", "place"])
topics = st.sampled_from(["press", "sport"])
statuses = st.sampled_from(["OK", "KO", None])
people = st.sampled_from(["root", "marie"])
links = st.sampled_from(["knows", "lives in"])
TABLES: dict[str, Any] = {"annotation": Annotation, "category": Category, "relation": Relation}


class UndoRedoMachine(RuleBasedStateMachine):
    """Two people at work on one document."""

    corpora: dict[str, Corpus]
    count = 0

    @initialize()
    def start(self) -> None:
        UndoRedoMachine.count += 1
        self.name = f"d{UndoRedoMachine.count}"
        corpus = self.corpora["root"]
        cut = [{"start": start, "end": end} for start, end in SENTENCES]
        corpus.add(document(self.name, TEXT, ("Paris", "place"), ("Ana", "person"), sentences=cut))
        self.born = self._rows()
        self.turns = 0
        self.jobs: list[str] = []
        self.label_again()

    def _rows(self) -> dict[tuple[str, int], dict[str, Any]]:
        with unit_of_work(actor="tests", write=False) as unit:
            found = {}
            where = Document.identifier == self.name
            for entity, table in TABLES.items():
                query = select(table).join(Document, Document.id == table.document_id).where(where)
                for row in unit.session.scalars(query.where(table.deleted_at.is_(None))):
                    found[entity, row.id] = history_snapshot_of_row(row)
                    if entity == "annotation":
                        assert row.text == TEXT[row.start : row.end]
            return found

    def _one(self, who: str, kind: str, pick: int) -> Any:
        read = self.corpora[who].get(f"/documents/{self.name}")
        found = list(read.get(kind) or [])
        if kind == "categories":
            found += [one for sentence in read.get("sentences", []) for one in sentence.get("categories", [])]
        found.sort(key=lambda one: str(one["identifier"]))
        return found[pick % len(found)]["identifier"] if found else None

    def _call(self, who: str, method: str, path: str, *allowed: int, **arguments: Any) -> Any:
        corpus = self.corpora[who]
        answer = getattr(corpus.caller, method)(f"{corpus.path}{path}", **arguments)
        # 404: its label was deleted, or merged into another one.
        assert answer.status_code in (200, 404, 409, *allowed), answer.text
        return answer

    @rule(who=people, place=places, label=labels, status=st.sampled_from(["OK", "KO"]))
    def annotate(self, who: str, place: tuple[int, int], label: str, status: str) -> None:
        body = {"documentIdentifier": self.name, "labelName": label, "start": place[0], "end": place[1]}
        self._call(who, "post", "/annotations", json=body | {"status": status})

    @rule(
        who=people,
        pick=st.integers(0, 9),
        change=st.one_of(
            st.builds(lambda place: {"start": place[0], "end": place[1]}, places),
            st.builds(lambda label: {"labelName": label}, labels),
            st.builds(lambda status: {"status": status}, st.sampled_from(["OK", "KO", None])),
        ),
    )
    def change(self, who: str, pick: int, change: dict[str, Any]) -> None:
        identifier = self._one(who, "annotations", pick)
        if identifier is not None:
            self._call(who, "patch", f"/annotations/{identifier}", json=change)

    @rule(who=people, place=places, label=labels)
    def annotate_fragments(self, who: str, place: tuple[int, int], label: str) -> None:
        start, end = place
        body = {"documentIdentifier": self.name, "labelName": label, "start": start, "end": end}
        pieces = [[start, start + 1], [end - 1, end]]
        self._call(who, "post", "/annotations", json=body | {"fragments": pieces})

    def _ends(self, who: str, first: int, other: int) -> dict[str, str] | None:
        ends = {"source": self._one(who, "annotations", first), "target": self._one(who, "annotations", other)}
        return None if ends["source"] == ends["target"] else ends

    @rule(who=people, first=st.integers(0, 9), other=st.integers(0, 9), name=links)
    def link(self, who: str, first: int, other: int, name: str) -> None:
        ends = self._ends(who, first, other)
        if ends is not None:
            self._call(who, "post", "/relations", json={"documentIdentifier": self.name, "name": name} | ends)

    @rule(who=people, pick=st.integers(0, 9), first=st.integers(0, 9), other=st.integers(0, 9), name=links)
    def link_otherwise(self, who: str, pick: int, first: int, other: int, name: str) -> None:
        identifier, ends = self._one(who, "relations", pick), self._ends(who, first, other)
        if identifier is not None and ends is not None:
            self._call(who, "patch", f"/relations/{identifier}", json={"name": name} | ends)

    @rule(who=people, pick=st.integers(0, 9), kind=st.sampled_from(["annotations", "categories", "relations"]))
    def delete(self, who: str, pick: int, kind: str) -> None:
        identifier = self._one(who, kind, pick)
        if identifier is not None:
            self._call(who, "delete", f"/{kind}/{identifier}")

    @rule(
        who=people, label=topics, status=statuses, mode=st.sampled_from(["manual", "automatic"]), on=st.integers(0, 2)
    )
    def categorise(self, who: str, label: str, status: str | None, mode: str, on: int) -> None:
        body = {"documentIdentifier": self.name, "labelName": label, "status": status, "creationMode": mode}
        place = dict(zip(("start", "end"), SENTENCES[on], strict=True)) if on < len(SENTENCES) else {}
        self._call(who, "post", "/categories", json=body | place)

    @rule(who=people, pick=st.integers(0, 9), status=statuses)
    def decide(self, who: str, pick: int, status: str | None) -> None:
        identifier = self._one(who, "categories", pick)
        if identifier is not None:
            self._call(who, "patch", f"/categories/{identifier}", json={"status": status})

    @rule(who=people, pick=st.integers(0, 9), kind=st.sampled_from(["annotations", "categories"]))
    def propagate_category(self, who: str, pick: int, kind: str) -> None:
        identifier = self._one(who, kind, pick)
        if identifier is not None:
            self._call(who, "post", f"/{kind}/{identifier}/_propagate", 400, json={"scope": "document"})

    @rule(keep=st.sampled_from([("person", "place"), ("place", "person"), ("press", "sport")]))
    def merge(self, keep: tuple[str, str]) -> None:
        self._keep_job(self._call("root", "post", "/labels/_merge", json={"names": keep}), "removeJob")

    @rule(label=labels, to=labels)
    def split(self, label: str, to: str) -> None:
        if label != to:
            body = {"target": to, "createdBy": ["marie"]}
            self._keep_job(self._call("root", "post", f"/labels/{label}/_move", json=body), "job")

    @rule(label=st.one_of(labels, topics))
    def delete_label(self, label: str) -> None:
        self._keep_job(self._call("root", "delete", f"/labels/{label}"), "removeJob")

    @rule()
    def label_again(self) -> None:
        """Labels that an act deleted are made again, and stand empty."""
        for name, label_set in (("person", None), ("place", None), ("press", "topics"), ("sport", "topics")):
            self._call("root", "post", "/labels", json={"label": name, "labelSetName": label_set})

    @rule(
        act=st.sampled_from(["_search_and_categorize", "_search_and_delete_labelling", "_search_and_delete"]),
        label=topics,
        add=st.booleans(),
    )
    def change_found_documents(self, act: str, label: str, add: bool) -> None:
        body = {"json": {"labelName": label, "add": add}} if act == "_search_and_categorize" else {}
        search = {"query": f'identifier:"{self.name}"', "createdBy": ["marie"]}
        answer = self._call("root", "post", f"/documents/{act}", params=search, **body)
        self.corpora["root"].run_jobs()
        self._keep_job(answer, None)
        if act == "_search_and_delete":
            self.take_a_job_back(0)  # who comes back finds everything

    def _keep_job(self, answer: Any, field: str | None) -> None:
        if answer.status_code == 200:
            told = answer.json()
            self.jobs.insert(0, (told if field is None else told[field])["id"])

    @rule(pick=st.integers(0, 3))
    def take_a_job_back(self, pick: int) -> None:
        if self.jobs:
            self._call("root", "post", f"/job/{self.jobs.pop(pick % len(self.jobs))}/_undo")
            self.corpora["root"].run_jobs()

    @rule(who=people, decision=st.sampled_from([None, None, "mine", "theirs"]))
    def undo(self, who: str, decision: str | None) -> None:
        self._undo_or_redo(who, "_undo", decision)

    @rule(who=people, decision=st.sampled_from([None, None, "mine", "theirs"]))
    def redo(self, who: str, decision: str | None) -> None:
        self._undo_or_redo(who, "_redo", decision)

    def _undo_or_redo(self, who: str, action: str, decision: str | None) -> None:
        before = self._rows()
        body = {"decision": decision} if decision else {}
        answer = self._call(who, "post", f"/documents/{self.name}/_history/{action}", json=body)
        if answer.status_code == 409:
            assert self._rows() == before
        else:
            self.turns += 1

    @rule(who=people, pick=st.integers(0, 30), decision=st.sampled_from([None, "mine"]))
    def restore(self, who: str, pick: int, decision: str | None) -> None:
        entries = self.corpora[who].get(f"/documents/{self.name}/_history")["entries"]
        if not entries:
            return
        entry = entries[pick % len(entries)]
        if entry["restorable"]:
            path = f"/documents/{self.name}/_history/{entry['identifier']}/_restore"
            self._call(who, "post", path, json={"decision": decision} if decision else {})

    @invariant()
    def relations_stand_while_both_annotations_do(self) -> None:
        rows = self._rows()
        stands = {
            str(identifier)
            for (entity, identifier), row in rows.items()
            if entity == "relation" and all(("annotation", row[end]) in rows for end in ("source_id", "target_id"))
        }
        found = self.corpora["marie"].get(f"/documents/{self.name}").get("relations", [])
        assert {one["identifier"] for one in found} == stands
        assert len({(one["name"], one["source"], one["target"]) for one in found}) == len(found)

    @invariant()
    def history_replays_to_the_present(self) -> None:
        state = dict(self.born)
        with unit_of_work(actor="tests", write=False) as unit:
            query = select(History).join(Document, Document.id == History.document_id)
            query = query.where(Document.identifier == self.name, History.entity.in_(TABLES)).order_by(History.id)
            for change in unit.session.scalars(query):
                key = (change.entity, change.entity_id)
                assert state.get(key) == change.before, (change.action, change.kind)
                if change.after is None:
                    state.pop(key, None)
                else:
                    state[key] = change.after
        assert state == self._rows()

    @invariant()
    def categories_stand_once(self) -> None:
        categories = [fields for (entity, _), fields in self._rows().items() if entity == "category"]
        said = [(one["label_id"], one["start"]) for one in categories]
        assert len(said) == len(set(said))
        confirmed = [one["start"] for one in categories if is_confirmed(one["status"], one["creation_mode"])]
        assert len(confirmed) == len(set(confirmed))

    @invariant()
    def what_stands_has_a_label(self) -> None:
        with unit_of_work(actor="tests", write=False) as unit:
            for table in (Annotation, Category):
                query = select(table.id).join(Label, Label.id == table.label_id)
                query = query.join(Document, Document.id == table.document_id).where(Document.identifier == self.name)
                gone = query.where(Label.deleted_at.is_not(None), table.deleted_at.is_(None))
                assert unit.session.scalars(gone).all() == []

    def teardown(self) -> None:
        if not hasattr(self, "name"):
            return
        for who, corpus in self.corpora.items():
            while True:
                path = f"{corpus.path}/documents/{self.name}/_history/_undo"
                answer = corpus.caller.post(path, json={"decision": "mine"})
                if answer.status_code != 200:
                    assert answer.status_code == 409, (who, answer.text)
                    break
                self.history_replays_to_the_present()
        project = self.corpora["root"].project.name
        get_outbox_relay().delete_applied()
        found = verify(project)[project]
        assert (found["differing"], found["waiting"]) == (0, 0)
        assert (found["indexed"], found["indexed_segments"]) == (found["documents"], found["segments"])


def test_random_operations_undo_and_redo_of_two_people(corpus: Corpus, as_user: Any, client: Any) -> None:
    corpus.add_labels("person", "place")
    corpus.post("/label_sets", json={"label": "topics", "exclusiveClasses": True, "nature": "classification"})
    for name in ("press", "sport"):
        corpus.post("/labels", json={"label": name, "labelSetName": "topics"})
    caller = as_user(client, "marie", "Annotator", "readUserAnnot:*", f"writeProject:{corpus.project.name}")
    UndoRedoMachine.corpora = {"root": corpus, "marie": Corpus(caller, corpus.project, corpus.run_jobs)}
    checks = settings(
        max_examples=hypothesis_example_count(8),
        stateful_step_count=14,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(UndoRedoMachine, settings=checks)  # type: ignore[no-untyped-call]
