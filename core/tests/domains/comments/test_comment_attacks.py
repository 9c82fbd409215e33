"""Comments against those who should not read them, too many, too long, or with markup in them."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert, select
from support.factories import Corpus, document

from annotarium.db.identifiers import new_id
from annotarium.db.models import Comment
from annotarium.db.row_marks import creation_marks
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.comments import service

TEXT = "Ines spoke in Halden."
BODY = {"documentIdentifier": "d1", "text": "Hello"}


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(document("d1", TEXT), document("d2", "Another text."))
    corpus.add_labels("person")
    return corpus


def comment(corpus: Corpus, text: str, **body: Any) -> dict[str, Any]:
    made: dict[str, Any] = corpus.post("/comments", json=BODY | {"text": text} | body)
    return made


def test_other_tenants_reach_nothing(filled: Corpus, as_user: Any, client: Any) -> None:
    """Their own project is no way to a thread of another project, and nothing tells that it exists."""
    thread = comment(filled, "Secret")
    stranger = as_user(client, "sam", "Annotator", "createProject")
    own = stranger.post("/api/projects", json={"label": "Own", "name": "own-of-sam"})
    assert own.status_code == 200, own.text
    made = thread["comments"][0]["identifier"]
    for base, missing in ((filled.path, 404), ("/api/projects/" + own.json()["projectName"], 404)):
        answers = [
            stranger.get(f"{base}/comment_threads/{thread['identifier']}"),
            stranger.get(f"{base}/comments", params={"documentIdentifier": "d1"}),
            stranger.post(f"{base}/comments", json=BODY | {"thread": thread["identifier"]}),
            stranger.patch(f"{base}/comments/{made}", json={"text": "x"}),
            stranger.delete(f"{base}/comments/{made}"),
            stranger.post(f"{base}/comments/{made}/_restore"),
            stranger.post(f"{base}/comment_threads/{thread['identifier']}/_resolve", json={}),
        ]
        assert {one.status_code for one in answers} == {missing}, [one.text for one in answers]
        assert "Secret" not in "".join(one.text for one in answers)
    assert stranger.get(f"{filled.path}/comments/_people").status_code == 404
    assert client.get(f"{filled.path}/comments/_people").status_code == 401
    assert client.get(f"{filled.path}/comment_threads/{thread['identifier']}").status_code == 401


def test_threads_on_hidden_annotations_stay_hidden(filled: Corpus, as_user: Any, client: Any) -> None:
    """A second annotator without readUserAnnot reaches no thread on the first one's annotation, in any way."""
    made = filled.annotate("d1", "person", 0, 4)
    thread = comment(filled, "Secret", target="annotation", annotation=made["identifier"])
    rosa = as_user(client, "rosa", "Annotator", f"writeProject:{filled.project.name}")
    answers = [
        rosa.get(f"{filled.path}/comment_threads/{thread['identifier']}"),
        rosa.post(f"{filled.path}/comment_threads/{thread['identifier']}/_resolve", json={}),
        rosa.post(f"{filled.path}/comments", json=BODY | {"thread": thread["identifier"]}),
        rosa.post(f"{filled.path}/comments", json=BODY | {"target": "annotation", "annotation": made["identifier"]}),
    ]
    assert {one.status_code for one in answers} == {404}
    read = rosa.get(f"{filled.path}/documents/d1", params={"outputFields": "comments"}).json()
    assert "Secret" not in str(read)


def test_a_long_thread_is_read_in_pages(filled: Corpus) -> None:
    """10,000 comments: an answer has the latest ones and their number."""
    thread = comment(filled, "number 0")
    number = int(thread["identifier"])
    with unit_of_work(actor="root", write=True) as unit:
        first = unit.session.scalars(select(Comment).where(Comment.thread_id == number)).one()
        same = {"project_id": first.project_id, "document_id": first.document_id, "thread_id": number, "mentions": []}
        rows = [
            {"id": new_id(), "text": f"number {n}", "version": 1} | same | creation_marks("root")
            for n in range(1, 10_000)
        ]
        unit.session.execute(insert(Comment), rows)
    (read,) = filled.get("/comments", params={"documentIdentifier": "d1"})["threads"]
    assert (read["commentCount"], len(read["comments"])) == (10_000, service.LATEST)
    assert read["comments"][-1]["text"] == "number 9999"
    earlier = filled.get(f"/comment_threads/{number}", params={"before": read["comments"][0]["identifier"]})
    assert [one["text"] for one in earlier["comments"]] == [
        f"number {n}" for n in range(10_000 - 2 * service.LATEST, 10_000 - service.LATEST)
    ]
    last = filled.get(f"/comment_threads/{number}", params={"before": thread["comments"][0]["identifier"]})
    assert (last["comments"], last["commentCount"]) == ([], 10_000)
    filled.get(f"/comment_threads/{number}", 404, params={"before": "x"})
    answered = comment(filled, "and one more", thread=str(number))
    assert (answered["commentCount"], len(answered["comments"])) == (10_001, service.LATEST)


def test_a_document_has_a_limited_number_of_threads(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST_THREADS", 2)
    thread = comment(filled, "one")
    comment(filled, "two")
    refused = filled.post("/comments", 409, json=BODY)
    assert refused["fix"]
    comment(filled, "an answer", thread=thread["identifier"])
    comment(filled, "elsewhere", documentIdentifier="d2")


def test_huge_bodies_are_refused(filled: Corpus) -> None:
    assert comment(filled, "x" * 10_000)["comments"][0]["text"] == "x" * 10_000
    filled.post("/comments", 400, json=BODY | {"text": "x" * 10_001})
    answer = filled.caller.post(f"{filled.path}/comments", json=BODY | {"text": "x" * 40_000_000})
    assert answer.status_code in (400, 413)


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "[x](javascript:alert(1))", "&lt;b&gt; \u202eabc"])
def test_markup_is_stored_as_text(filled: Corpus, text: str) -> None:
    """The answer has exactly what was written; the web app shows it as text."""
    assert comment(filled, text)["comments"][0]["text"] == text


def test_mentions_reveal_no_accounts(filled: Corpus, as_user: Any, client: Any) -> None:
    """Somebody who is no account, an account that one does not see, and one that does not see the project are alike."""
    as_user(client, "hidden", "Reader")
    as_user(client, "member", "Reader", f"readProject:{filled.project.name}")
    as_user(client, "outsider", "Reader")
    made = comment(filled, "@member @outsider @hidden @nobody")["comments"][0]
    assert made["mentions"] == ["member"]
    people = filled.get("/comments/_people")["people"]
    names = [one["username"] for one in people]
    assert "member" in names
    assert not {"outsider", "hidden"} & set(names)
    assert [one["username"] for one in filled.get("/comments/_people", params={"query": "MEMB"})["people"]] == [
        "member"
    ]
    assert filled.get("/comments/_people", params={"query": "%"})["people"] == []
    # Without a group in common, the writer sees nobody else, so nobody can be mentioned or found.
    rosa = as_user(client, "rosa", "Annotator", f"writeProject:{filled.project.name}")
    theirs = rosa.post(f"{filled.path}/comments", json=BODY | {"text": "@member @nobody @root @rosa"}).json()
    assert theirs["comments"][0]["mentions"] == ["rosa"]
    assert [one["username"] for one in rosa.get(f"{filled.path}/comments/_people").json()["people"]] == ["rosa"]
    # What root mentioned does not tell rosa that there is such an account.
    read = rosa.get(f"{filled.path}/comments", params={"documentIdentifier": "d1"}).json()["threads"]
    assert [one["comments"][0].get("mentions") for one in read] == [[], ["rosa"]]


def test_a_thread_with_thousands_of_names_looks_up_few(filled: Corpus) -> None:
    text = " ".join(f"@n{number}" for number in range(1_500))
    assert comment(filled, text)["comments"][0]["mentions"] == []
