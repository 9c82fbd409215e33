"""Administrators of a group call everything about lexicons, terms, gazetteers, candidates and concepts in any order,
also while their project is shared, moved and restored: nothing of another group is read or changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from support.factories import Corpus, document
from support.hostile_test_sizes import hostile_test_size
from support.project_archives import export_project, upload_archive
from support.vocabularies import add_gazetteer, add_lexicon, synchronize

SECRET, OWN = "Halden", "Osterby"
ADMINISTRATOR = ("GroupUserAdmin", "GroupProjectAdmin", "GroupMember", "Annotator", "Reader")
RIGHTS = ("importTerms", "createProject", "useSearch")


def fill(corpus: Corpus, word: str) -> dict[str, str]:
    """Documents, a lexicon with a deleted and a live term, a cleared one and a gazetteer; returns their names."""
    corpus.add(document("d1", f"Ines lives in {word}."), document("d2", f"{word} is far."))
    corpus.add_labels("place")
    lexicon = add_lexicon(corpus, f"{word} towns", {f"{word}-1": (word, [f"{word}by"]), f"{word}-2": (word, [])})
    corpus.post(f"/lexicons/{lexicon}/_delete_term", 204, json={"identifier": f"{word}-2"})
    cleared = add_lexicon(corpus, f"{word} rivers", {f"{word}-3": (word, [])})
    corpus.post(f"/lexicons/{cleared}/_clear")
    gazetteer = add_gazetteer(corpus, lexicon, label=f"{word} finder")
    synchronize(corpus, gazetteer)
    return {"lexicon": lexicon, "cleared": cleared, "gazetteer": gazetteer, "term": f"{word}-1", "gone": f"{word}-2"}


def state(corpus: Corpus) -> dict[str, Any]:
    """What a project shows of the rows that are attacked."""
    paths = ("/lexicons?computeMetrics=true", "/gazetteers", "/shares/users", "/shares/groups", "/documents/d1")
    found = {path: corpus.get(path) for path in paths}
    hits = corpus.post("/lexicons/_search", params={"size": 50})["hits"]
    return found | {"terms": sorted(str(hit["term"]) for hit in hits)}


def calls(ids: dict[str, str], upload: str) -> list[tuple[str, str, Any]]:
    """Method, path in a project and body of the calls, for the rows of these names."""
    lexicon, cleared = f"/lexicons/{ids['lexicon']}", f"/lexicons/{ids['cleared']}"
    gazetteer, term, gone = f"/gazetteers/{ids['gazetteer']}", {"identifier": ids["term"]}, {"identifier": ids["gone"]}
    return [
        ("get", "/lexicons?computeMetrics=true", None),
        ("post", "/lexicons/_search?query=*", None),
        ("get", f"{lexicon}?computeMetrics=true", None),
        ("patch", lexicon, {"label": "taken"}),
        ("post", f"{lexicon}/_get_term", term),
        ("post", f"{lexicon}/_update_term", term | {"preferredForm": "taken"}),
        ("post", f"{lexicon}/_delete_term", term),
        ("post", f"{lexicon}/_restore_term", term),
        ("post", f"{lexicon}/_restore_term", gone),
        ("post", f"{lexicon}?overwrite=true", term | {"preferredForm": "mine"}),
        ("post", f"{lexicon}/_children", term),
        ("get", f"{lexicon}/_roots", None),
        ("post", f"{lexicon}/_export", None),
        ("post", f"{lexicon}/_load", {"files": [{"id": upload}]}),
        ("post", f"{lexicon}/_clear", None),
        ("post", f"{lexicon}/_restore", None),
        ("delete", lexicon, None),
        ("post", f"{lexicon}/_restore", None),
        ("post", f"{cleared}/_restore", None),
        ("post", "/lexicons/_preview", {"files": [{"id": upload}]}),
        ("post", "/lexicons/_candidates", None),
        ("post", "/lexicons/_accept_candidate", {"text": "far", "lexicon": ids["lexicon"]}),
        (
            "post",
            "/lexicons/_accept_candidate",
            {"text": "lives", "lexicon": ids["lexicon"], "identifier": ids["term"]},
        ),
        ("post", "/lexicons/_refuse_candidate", {"text": "far"}),
        ("get", gazetteer, None),
        ("patch", gazetteer, {"label": "taken"}),
        ("post", f"{gazetteer}/_synchronize?annotateCorpus=true", None),
        ("post", f"{gazetteer}/_cancel_synchronize", None),
        ("post", "/gazetteers/_export", None),
        ("post", "/gazetteers/_load", {"id": upload, "filename": "archive.spa"}),
        ("delete", gazetteer, None),
        ("post", "/_use_as_template?withTerms=true", {"label": "copy", "lang": "en"}),
    ]


def moves(mine: Corpus, theirs: Corpus, upload: str) -> list[tuple[str, str, Any]]:
    """Calls by which a group's administrator could draw a project into reach."""
    batch = {"projects": [theirs.project.name], "newOwner": "helga"}
    return [
        ("post", f"{theirs.path}/shares/users?username=helga", {"read": True, "write": True}),
        ("post", f"{theirs.path}/shares/groups?groupName=harbour", {"read": True, "write": True}),
        ("delete", f"{theirs.path}/shares/groups/quarry", None),
        ("post", f"{mine.path}/shares/users?username=tomas", {"read": True, "write": True}),
        ("delete", f"{mine.path}/shares/users/tomas", None),
        ("post", "/api/projects/_batch_chown_and_share", batch),
        ("post", "/api/projects/_load?groupName=quarry", {"id": upload, "filename": "archive.spa"}),
        ("post", "/api/projects/_load", {"id": upload, "filename": "archive.spa"}),
    ]


@pytest.fixture
def tenants(as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]]) -> tuple[Corpus, Corpus]:
    """Projects of two groups that know nothing of each other: that of the attacker and that of the victim."""
    mine, theirs = (make_project(lang="en", group=group) for group in ("harbour", "quarry"))
    return Corpus(as_admin, mine, run_jobs), Corpus(as_admin, theirs, run_jobs)


def test_group_administrators_reach_no_vocabulary_of_another_group(
    tenants: tuple[Corpus, Corpus], as_user: Any, client: Any
) -> None:
    """S-047: whatever the order, also with names and uploads of the other group inside the own project."""
    mine, theirs = tenants
    own, foreign = fill(mine, OWN), fill(theirs, SECRET)
    # An upload belongs to who made it: the administrator's own archive of the other project is not the attacker's.
    stolen = upload_archive(theirs.caller, export_project(theirs))
    helga = as_user(client, "helga", *ADMINISTRATOR, *RIGHTS, f"writeProject:{mine.project.name}", groups=("harbour",))
    before = state(theirs)
    assert SECRET in str(before)
    rng, answered = random.Random(5), 0
    for _ in range(hostile_test_size(2, 15)):
        attempts = [(theirs.path, one) for one in calls(foreign, stolen)]
        attempts += [(mine.path, one) for one in calls(foreign, stolen) + calls(own, stolen)]
        attempts += [("", one) for one in moves(mine, theirs, stolen)]
        rng.shuffle(attempts)
        for path, (method, rest, body) in attempts:
            answer = getattr(helga, method)(f"{path}{rest}", **({} if body is None else {"json": body}))
            told = (method, path, rest, answer.status_code, answer.text[:200])
            assert answer.status_code < 500, told
            # What the attacker sent may be repeated in an error; texts of the other group's rows may not.
            assert f"{SECRET}by" not in answer.text, told
            if path == theirs.path:
                assert answer.status_code == 404, told
            answered += answer.status_code < 300
        mine.run_jobs()
    assert state(theirs) == before
    assert answered > 10, "the administrator could do nothing in the own project: the test attacks nothing"


def test_concepts_of_another_group_are_not_found(tenants: tuple[Corpus, Corpus], as_user: Any, client: Any) -> None:
    """T-046: naming a project in the query gives no way to its terms."""
    mine, theirs = tenants
    own, foreign = fill(mine, OWN), fill(theirs, SECRET)
    helga = as_user(client, "helga", *ADMINISTRATOR, *RIGHTS, groups=("harbour",))
    found = helga.get(f"/api/service/kb/concept/{own['term']}", params={"project": mine.project.name})
    assert found.status_code == 200, found.text
    for project in (theirs.project.name, mine.project.name, ""):
        answer = helga.get(f"/api/service/kb/concept/{foreign['term']}", params={"project": project})
        assert answer.status_code == 404, answer.text
        assert f"{SECRET}by" not in answer.text


def test_the_largest_terms_of_a_group_administrator(tenants: tuple[Corpus, Corpus], as_user: Any, client: Any) -> None:
    """They are refused or stored; searches of another group are answered as before."""
    mine, theirs = tenants
    own, _ = fill(mine, OWN), fill(theirs, SECRET)
    helga = as_user(client, "helga", *ADMINISTRATOR, *RIGHTS, f"writeProject:{mine.project.name}", groups=("harbour",))
    before = state(theirs)
    many = [f"form {number}" for number in range(50_000)]
    bodies = [
        {"identifier": "many", "preferredForm": "many", "properties": {"altForms": many}},
        {"identifier": "long", "preferredForm": "x" * 900_000},
        {"identifier": "y" * 900_000, "preferredForm": "y"},
        {
            "identifier": "deep",
            "preferredForm": "deep",
            "properties": {"broader": [f"t{one}" for one in range(50_000)]},
        },
    ]
    for body in bodies:
        answer = helga.post(f"{mine.path}/lexicons/{own['lexicon']}", json=body)
        assert answer.status_code in (200, 400, 413), answer.text[:200]
    for call in ("_get_term", "_children", "_delete_term"):
        answer = helga.post(f"{mine.path}/lexicons/{own['lexicon']}/{call}", json={"identifier": "z" * 900_000})
        assert answer.status_code in (400, 404), answer.text[:200]
    assert state(theirs) == before
