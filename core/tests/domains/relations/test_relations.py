"""Relations: links between two annotations of a document, their rights, versions, keys; what becomes of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest
from support.factories import Corpus, document

TEXT = "Anna Smith lives in Paris, Bob in Rome."


@pytest.fixture
def linked(corpus: Corpus) -> Corpus:
    """Two documents with annotations."""
    corpus.add_labels("person", "place")
    corpus.add(document("d1", TEXT), document("d2", TEXT))
    return corpus


def spans(corpus: Corpus, name: str = "d1") -> tuple[str, str, str]:
    """Anna, Paris, Bob."""
    places = (("person", 0, 10), ("place", 20, 25), ("person", 27, 30))
    made = [corpus.annotate(name, *place)["identifier"] for place in places]
    return made[0], made[1], made[2]


def link(corpus: Corpus, source: str, target: str, name: str = "lives in", status: int = 200, **more: Any) -> Any:
    body = {"documentIdentifier": "d1", "name": name, "source": source, "target": target} | more
    return corpus.post("/relations", status, json=body)


def test_the_list_says_where_both_ends_are(linked: Corpus) -> None:
    """Who shows one segment only tells of the end elsewhere, and leads there."""
    anna, paris, _ = spans(linked)
    link(linked, anna, paris)
    (one,) = linked.get("/relations", params={"documentIdentifier": "d1"})["relations"]
    ends = [(one[f"{end}Start"], one[f"{end}Text"]) for end in ("source", "target")]
    assert ends == [(0, "Anna Smith"), (20, "Paris")]


def live_relations(corpus: Corpus, name: str = "d1") -> list[tuple[str, str, str]]:
    found = corpus.get("/relations", params={"documentIdentifier": name})["relations"]
    assert [one["identifier"] for one in corpus.get(f"/documents/{name}").get("relations", [])] == [
        one["identifier"] for one in found
    ]
    return [(one["name"], one["source"], one["target"]) for one in found]


def test_create_read_change_delete_restore(linked: Corpus) -> None:
    anna, paris, bob = spans(linked)
    made = link(linked, anna, paris, properties={"since": 1999})
    assert made == {
        "identifier": made["identifier"],
        "documentIdentifier": "d1",
        "name": "lives in",
        "source": anna,
        "target": paris,
        "properties": {"since": 1999},
        "createdBy": "root",
        "createdDate": made["createdDate"],
        "modifiedDate": made["createdDate"],
        "version": 1,
    }
    assert linked.get("/documents/d1")["relations"] == [made]
    path = f"/relations/{made['identifier']}"
    turned = linked.patch(path, json={"source": paris, "target": anna}, headers={"If-Match": '"1"'})
    assert (turned["ok"], turned["source"], turned["target"], turned["version"]) == (True, paris, anna, 2)
    renamed = linked.patch(path, json={"name": "home of", "target": bob, "properties": None})
    assert (renamed["name"], renamed["target"], renamed["identifier"]) == ("home of", bob, made["identifier"])
    assert "properties" not in renamed
    assert linked.delete(path) == {"ok": True}
    assert live_relations(linked) == []
    assert "relations" not in linked.get("/documents/d1")
    linked.delete(path, 404)
    back = linked.post(f"{path}/_restore")
    assert (back["ok"], back["name"], back["source"], back["target"]) == (True, "home of", paris, bob)
    assert live_relations(linked) == [("home of", paris, bob)]
    linked.post(f"{path}/_restore", 404)


def test_a_change_that_changes_nothing_keeps_the_version(linked: Corpus) -> None:
    anna, paris, _ = spans(linked)
    made = link(linked, anna, paris)
    assert linked.patch(f"/relations/{made['identifier']}", json={"name": "lives in"})["version"] == 1


def test_wrong_ends_are_refused_with_a_message(linked: Corpus) -> None:
    anna, paris, bob = spans(linked)
    elsewhere, other, _ = spans(linked, "d2")
    linked.delete(f"/annotations/{bob}")
    made = link(linked, anna, paris)
    refusals = [
        (400, link(linked, anna, anna, status=400), "target"),
        (400, link(linked, anna, elsewhere, status=400), "target"),
        (400, link(linked, elsewhere, other, status=400), "source"),
        (404, link(linked, anna, "77", status=404), "target"),
        (404, link(linked, "no number", paris, status=404), "source"),
        (409, link(linked, anna, bob, status=409), "target"),
    ]
    for code, refused, field in refusals:
        assert (refused["code"], refused["details"][0]["field"]) == (code, field)
        assert refused["message"]
        assert refused["cause"]
        assert refused["fix"]
    twin = link(linked, anna, paris, status=409)
    assert twin["details"][0]["current"] == made
    link(linked, paris, anna)
    link(linked, anna, paris, name="born in")
    path = f"/relations/{made['identifier']}"
    linked.patch(path, 409, json={"name": "born in"})
    linked.patch(path, 400, json={"target": anna})
    linked.patch(path, 400, json={"target": elsewhere})
    link(linked, anna, paris, name="half \ud83d pair".encode("utf-8", "replace").decode() + "\x00", status=400)
    link(linked, anna, paris, name="  ", status=400)
    link(linked, anna, paris, status=404, documentIdentifier="missing")
    assert linked.get("/relations", 404, params={"documentIdentifier": "missing"})["message"]
    assert len(live_relations(linked)) == 3


def test_what_several_people_link_at_once_is_there_once(linked: Corpus) -> None:
    anna, paris, _ = spans(linked)
    body = {"documentIdentifier": "d1", "name": "lives in", "source": anna, "target": paris}
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: linked.caller.post(f"{linked.path}/relations", json=body), range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    assert len(live_relations(linked)) == 1
    assert len(linked.get("/relation_names")) == 1


def test_a_name_that_several_people_use_first_is_one_name(linked: Corpus) -> None:
    ends = [linked.annotate("d1", "person", start, start + 1)["identifier"] for start in range(7)]
    bodies = [
        {"documentIdentifier": "d1", "name": "next to", "source": source, "target": target}
        for source, target in pairwise(ends)
    ]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda body: linked.caller.post(f"{linked.path}/relations", json=body), bodies))
    assert [answer.status_code for answer in answers] == [200] * 6
    assert [(one["name"], one["count"]) for one in linked.get("/relation_names")] == [("next to", 6)]


def test_same_key_gives_the_same_relation(linked: Corpus) -> None:
    anna, paris, _ = spans(linked)
    body = {"documentIdentifier": "d1", "name": "lives in", "source": anna, "target": paris}
    headers = {"Idempotency-Key": "relation-one"}
    first = linked.post("/relations", json=body, headers=headers)
    assert linked.post("/relations", json=body, headers=headers) == first
    path = f"/relations/{first['identifier']}"
    for _ in range(2):
        assert linked.delete(path, headers={"Idempotency-Key": "relation-two"}) == {"ok": True}
    for _ in range(2):
        assert linked.post(f"{path}/_restore", headers={"Idempotency-Key": "relation-three"})["version"] == 3
    assert len(live_relations(linked)) == 1


def test_stale_version_is_refused_with_the_current_state(linked: Corpus, as_user: Any, client: Any) -> None:
    """The state says who made it and when: the dialog of both versions names them."""
    anna, paris, _ = spans(linked)
    path = f"/relations/{link(linked, anna, paris)['identifier']}"
    writer = as_user(client, "wim", f"writeProject:{linked.project.name}", "readUserAnnot:*", "readModeAnnot:all")
    theirs = writer.patch(f"{linked.path}{path}", json={"name": "left"}, headers={"If-Match": "1"}).json()
    assert (theirs["createdBy"], theirs["modifiedBy"]) == ("root", "wim")
    for method in ("patch", "delete"):
        arguments: dict[str, Any] = {"json": {"name": "right"}} if method == "patch" else {}
        refused = getattr(linked, method)(path, 412, headers={"If-Match": "1"}, **arguments)
        assert refused["details"][0]["current"]["name"] == "left"
        current = refused["details"][0]["current"]
        assert (current["version"], current["modifiedBy"]) == (2, "wim")
        assert current["modifiedDate"] == theirs["modifiedDate"]
    assert linked.patch(path, json={"name": "right"})["name"] == "right"


def test_relations_go_and_come_back_with_their_annotations(linked: Corpus) -> None:
    anna, paris, bob = spans(linked)
    link(linked, anna, paris)
    kept = link(linked, bob, paris, name="visits")
    gone = link(linked, anna, bob, name="knows")
    linked.delete(f"/annotations/{anna}")
    assert live_relations(linked) == [("visits", bob, paris)]
    linked.patch(f"/relations/{gone['identifier']}", 404, json={"name": "met"})
    linked.delete(f"/annotations/{bob}")
    assert live_relations(linked) == []
    back = linked.post(f"/annotations/{anna}/_restore")
    assert [(one["name"], one["target"], one["version"]) for one in back["relations"]] == [("lives in", paris, 3)]
    assert live_relations(linked) == [("lives in", anna, paris)]
    back = linked.post(f"/annotations/{bob}/_restore")
    assert [one["name"] for one in back["relations"]] == ["visits", "knows"]
    assert len(live_relations(linked)) == 3
    # What was deleted by itself stays deleted.
    linked.delete(f"/relations/{kept['identifier']}")
    linked.delete(f"/annotations/{bob}")
    refused = linked.post(f"/relations/{kept['identifier']}/_restore", 409)
    assert refused["cause"] == "One of its annotations has been deleted since"
    linked.post(f"/annotations/{bob}/_restore")
    assert [name for name, _, _ in live_relations(linked)] == ["lives in", "knows"]


def test_names_are_registered_with_colours_of_the_palette(linked: Corpus) -> None:
    """C-031: the least used colour, of labels and names of relations together."""
    anna, paris, bob = spans(linked)
    link(linked, anna, paris, name="lives in")
    link(linked, bob, paris, name="lives in")
    link(linked, anna, bob, name="knows")
    names = linked.get("/relation_names")
    assert [(one["name"], one["count"]) for one in names] == [("lives in", 2), ("knows", 1)]
    colors = [one["color"] for one in names] + [one["color"] for one in linked.get("/labels")]
    assert len(set(colors)) == 4
    renamed = linked.caller.put(f"{linked.path}/relation_names/lives%20in", json={"newName": "is/was at"})
    assert (renamed.status_code, renamed.json()["count"]) == (200, 2)
    painted = linked.caller.put(f"{linked.path}/relation_names/is%2Fwas%20at", json={"color": "#a1b2c3"})
    assert painted.json() == {"name": "is/was at", "color": "#A1B2C3", "count": 2}
    assert {name for name, _, _ in live_relations(linked)} == {"is/was at", "knows"}
    taken = linked.caller.put(f"{linked.path}/relation_names/knows", json={"newName": "is/was at"})
    assert (taken.status_code, taken.json()["details"][0]["field"]) == (409, "newName")
    assert linked.caller.put(f"{linked.path}/relation_names/knows", json={"color": "red"}).status_code == 400
    assert linked.caller.put(f"{linked.path}/relation_names/unknown", json={}).status_code == 404


def test_a_name_goes_when_nothing_is_called_by_it(linked: Corpus) -> None:
    anna, paris, _ = spans(linked)
    made = link(linked, anna, paris)
    refused = linked.delete("/relation_names/lives in", 409)
    assert (refused["message"], refused["details"]) == ("1 relation is called lives in", [{"count": 1}])
    linked.delete(f"/relations/{made['identifier']}")
    assert linked.delete("/relation_names/lives in") == {"ok": True}
    assert linked.get("/relation_names") == []
    linked.delete("/relation_names/lives in", 404)
    # What comes back still has its name; using the name again registers it.
    linked.post(f"/relations/{made['identifier']}/_restore")
    assert [(one["name"], one["count"]) for one in linked.get("/relation_names")] == [("lives in", 1)]
    link(linked, paris, anna)
    assert [(one["name"], one["count"]) for one in linked.get("/relation_names")] == [("lives in", 2)]


def test_who_may_do_what(linked: Corpus, as_user: Any, client: Any) -> None:
    anna, paris, bob = spans(linked)
    made = link(linked, anna, paris)
    name = linked.project.name
    body = {"documentIdentifier": "d1", "name": "knows", "source": anna, "target": bob}
    one = f"{linked.path}/relations/{made['identifier']}"
    calls = [
        ("GET", f"{linked.path}/relations?documentIdentifier=d1", None, True),
        ("GET", f"{linked.path}/relation_names", None, True),
        ("POST", f"{linked.path}/relations", body, False),
        ("PATCH", one, {"name": "x"}, False),
        ("DELETE", one, None, False),
        ("POST", f"{one}/_restore", None, False),
        ("PUT", f"{linked.path}/relation_names/lives in", {"newName": "x"}, False),
        ("POST", f"{linked.path}/relation_names", {"name": "x"}, False),
        ("GET", f"{linked.path}/relation_names/_consequences?name=lives in", None, False),
        ("DELETE", f"{linked.path}/relation_names/lives in", None, False),
    ]
    stranger = as_user(client, "stranger", "Annotator")
    reader = as_user(client, "rene", "Reader", f"readProject:{name}", "readUserAnnot:*", "readModeAnnot:all")
    for method, path, json, reads in calls:
        arguments = {"json": json} if json is not None else {}
        assert client.request(method, path, **arguments).status_code == 401
        assert stranger.request(method, path, **arguments).status_code == 404
        assert reader.request(method, path, **arguments).status_code == (200 if reads else 403)
    writer = as_user(client, "wim", f"writeProject:{name}", "readUserAnnot:*", "readModeAnnot:all")
    assert writer.request("PUT", f"{linked.path}/relation_names/lives in", json={"newName": "x"}).status_code == 403
    assert writer.delete(f"{linked.path}/relation_names/lives in").status_code == 403
    assert writer.post(f"{linked.path}/relation_names", json={"name": "x"}).status_code == 403
    assert writer.get(f"{linked.path}/relation_names/_consequences?name=lives in").status_code == 403
    assert writer.post(f"{linked.path}/relations", json=body).json()["createdBy"] == "wim"
    assert len(live_relations(linked)) == 2


def test_both_annotations_must_be_readable(linked: Corpus, as_user: Any, client: Any) -> None:
    anna, paris, _ = spans(linked)
    made = link(linked, anna, paris)
    rosa = as_user(client, "rosa", "Reader", f"writeProject:{linked.project.name}")
    body = {"documentIdentifier": "d1", "labelName": "person", "start": 0, "end": 4}
    own = rosa.post(f"{linked.path}/annotations", json=body).json()["identifier"]
    other = rosa.post(f"{linked.path}/annotations", json=body | {"end": 3}).json()["identifier"]
    assert rosa.get(f"{linked.path}/relations?documentIdentifier=d1").json() == {"relations": []}
    assert "relations" not in rosa.get(f"{linked.path}/documents/d1").json()
    assert rosa.get(f"{linked.path}/relation_names").json()[0]["count"] == 0
    assert rosa.delete(f"{linked.path}/relations/{made['identifier']}").status_code == 404
    mixed = {"documentIdentifier": "d1", "name": "is", "source": own, "target": anna}
    assert rosa.post(f"{linked.path}/relations", json=mixed).status_code == 404
    assert rosa.post(f"{linked.path}/relations", json=mixed | {"target": other}).status_code == 200
    half = link(linked, own, anna, name="is")
    seen = rosa.get(f"{linked.path}/documents/d1").json()["relations"]
    assert [(one["source"], one["target"]) for one in seen] == [(own, other)]
    assert half["identifier"] not in str(rosa.get(f"{linked.path}/documents/d1/_history").json())


def test_lists_of_hits_hold_relations_only_when_named(linked: Corpus) -> None:
    anna, paris, _ = spans(linked)
    link(linked, anna, paris)
    for fields, there in (("", False), ("!text", False), ("relations", True), ("title,relations", True)):
        hits = linked.post("/documents/_search", params={"query": "Anna", "outputFields": fields})["hits"]
        assert [("relations" in hit["document"]) for hit in hits] == [there and name == "d1" for name in ("d1", "d2")]
    exported = linked.get("/documents")
    assert [len(one.get("relations", ())) for one in exported] == [1, 0]
    assert all("relations" not in one for one in linked.get("/documents", params={"outputFields": "!relations"}))


def test_relations_of_a_deleted_document_are_out_of_reach(linked: Corpus) -> None:
    anna, paris, _ = spans(linked)
    made = link(linked, anna, paris)
    linked.delete("/documents/d1")
    linked.get("/relations", 404, params={"documentIdentifier": "d1"})
    linked.patch(f"/relations/{made['identifier']}", 404, json={"name": "x"})
    assert linked.get("/relation_names")[0]["count"] == 0
