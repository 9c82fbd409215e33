"""Whatever two people do, undo and redo: offsets stay right, the history tells all of it, the index says the same."""

from __future__ import annotations

from typing import Any

from examples import examples
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from small_corpus import Corpus, document
from sqlalchemy import select

from annotarium.corpus.labelling.changes import snapshot
from annotarium.db.models import Annotation, Category, Document, History, Relation
from annotarium.db.unit import unit_of_work
from annotarium.search.indexer import get_relay
from annotarium.search.verifying import verify

TEXT = "Ana \U0001f469\u200d\U0001f469\u200d\U0001f467 Mar\u00eda in Paris. \u0645\u0631\u062d\u0628\u0627 Paris, Ana."
places = st.sampled_from([(0, 3), (4, 9), (10, 15), (10, 25), (19, 24), (26, 31), (38, 41)])
labels = st.sampled_from(["person", "place"])
topics = st.sampled_from(["press", "sport"])
people = st.sampled_from(["root", "marie"])
links = st.sampled_from(["knows", "lives in"])
TABLES: dict[str, Any] = {"annotation": Annotation, "category": Category, "relation": Relation}


class Acts(RuleBasedStateMachine):
    """Two people at work on one document."""

    corpora: dict[str, Corpus]
    count = 0

    @initialize()
    def start(self) -> None:
        Acts.count += 1
        self.name = f"d{Acts.count}"
        corpus = self.corpora["root"]
        corpus.add(document(self.name, TEXT, ("Paris", "place"), ("Ana", "person")))
        self.born = self._rows()
        self.turns = 0

    def _rows(self) -> dict[tuple[str, int], dict[str, Any]]:
        with unit_of_work(actor="tests", write=False) as unit:
            found = {}
            where = Document.identifier == self.name
            for entity, table in TABLES.items():
                query = select(table).join(Document, Document.id == table.document_id).where(where)
                for row in unit.session.scalars(query.where(table.deleted_at.is_(None))):
                    found[entity, row.id] = snapshot(row)
                    if entity == "annotation":
                        assert row.text == TEXT[row.start : row.end]
            return found

    def _one(self, who: str, kind: str, pick: int) -> Any:
        found = self.corpora[who].get(f"/documents/{self.name}").get(kind) or []
        found.sort(key=lambda one: str(one["identifier"]))
        return found[pick % len(found)]["identifier"] if found else None

    def _call(self, who: str, method: str, path: str, **arguments: Any) -> Any:
        corpus = self.corpora[who]
        answer = getattr(corpus.caller, method)(f"{corpus.path}{path}", **arguments)
        assert answer.status_code in (200, 409), answer.text
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
    def annotate_in_pieces(self, who: str, place: tuple[int, int], label: str) -> None:
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

    @rule(who=people, label=topics, status=st.sampled_from(["OK", "KO"]))
    def categorise(self, who: str, label: str, status: str) -> None:
        body = {"documentIdentifier": self.name, "labelName": label, "status": status}
        self._call(who, "post", "/categories", json=body)

    @rule(who=people, decision=st.sampled_from([None, None, "mine", "theirs"]))
    def undo(self, who: str, decision: str | None) -> None:
        self._turn(who, "_undo", decision)

    @rule(who=people, decision=st.sampled_from([None, None, "mine", "theirs"]))
    def redo(self, who: str, decision: str | None) -> None:
        self._turn(who, "_redo", decision)

    def _turn(self, who: str, action: str, decision: str | None) -> None:
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
        assert len([one for one in categories if one["status"] == "OK"]) <= 1

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
        get_relay().forget_applied()
        found = verify(project)[project]
        assert (found["differing"], found["waiting"]) == (0, 0)
        assert (found["indexed"], found["indexed_segments"]) == (found["documents"], found["segments"])


def test_any_acts_undo_and_redo_of_two_people(corpus: Corpus, as_user: Any, client: Any) -> None:
    for name in ("person", "place"):
        corpus.post("/labels", json={"label": name})
    corpus.post("/label_sets", json={"label": "topics", "exclusiveClasses": True, "nature": "classification"})
    for name in ("press", "sport"):
        corpus.post("/labels", json={"label": name, "labelSetName": "topics"})
    caller = as_user(client, "marie", "Annotator", "readUserAnnot:*", f"writeProject:{corpus.project.name}")
    Acts.corpora = {"root": corpus, "marie": Corpus(caller, corpus.project, corpus.run_jobs)}
    checks = settings(
        max_examples=examples(8),
        stateful_step_count=14,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    run_state_machine_as_test(Acts, settings=checks)  # type: ignore[no-untyped-call]
