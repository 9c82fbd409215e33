"""HTML versions through the API: what imports store, what responses contain, what is exported and imported again."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest
from support.factories import Corpus, document
from support.project_archives import export_project, import_project

from annotarium.db.models import Suggestion
from annotarium.db.unit_of_work import unit_of_work

PAGE = """<html><head><title>Town</title></head><body><h1>The 😀 town</h1>
<p>Ada <b>met</b> <a href="https://example.org/">Babbage</a>.<script>alert(1)</script></p>
<ul><li>one</li><li>two</li></ul>
<table><tr><th>City</th><th>Year</th></tr><tr><td>Zürich</td><td>1833</td></tr></table>
<img src="https://example.org/spy.png" alt="A map" onerror="alert(1)"></body></html>"""
TEXT = "# Title 𝔘\n\nAda **met** Babbage.\r\n\n- one\n- two"


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^<>]*>", "", html))


def upload(corpus: Corpus, name: str, content: str) -> None:
    answer = corpus.caller.post(
        f"{corpus.path}/documents?wait=true", files={"file": (name, content.encode(), "text/html")}
    )
    assert answer.json()["status"] == "COMPLETED", answer.text


def read(corpus: Corpus, identifier: str, **parameters: Any) -> dict[str, Any]:
    found: dict[str, Any] = corpus.get(f"/documents/{quote(identifier, safe='')}", params=parameters)
    return found


def test_a_page_has_an_html_version(corpus: Corpus) -> None:
    """S-011: `htmlVersion` contains headings, lists, tables, emphasis and links; offsets count in its text; it contains
    no scripts and loads nothing.
    """
    upload(corpus, "town.html", PAGE)
    plain = read(corpus, "town.html")
    assert plain["hasLayout"] is True
    assert not {"html", "layout"} & set(plain)
    shown = read(corpus, "town.html", htmlVersion=True)
    html, text = shown["html"], shown["text"]
    assert text_of(html) == text == plain["text"]
    assert "<h1>The 😀 town</h1>" in html
    assert '<strong>met</strong> <a href="https://example.org/" rel="noopener noreferrer nofollow">Babbage</a>' in html
    assert '<li><span class="syntax">-</span> two</li>' in html
    assert "<tr><th>City</th>\t<th>Year</th></tr>" in html
    assert '<img alt="A map">' in html
    assert not re.search(r"script|onerror|src=|style=", html)
    start = text_of(html).index("Babbage")
    corpus.post("/labels", json={"name": "person", "label": "Person"})
    corpus.annotate("town.html", "person", start, start + 7)
    (made,) = read(corpus, "town.html", htmlVersion=True)["annotations"]
    assert (made["text"], made["start"], made["end"]) == ("Babbage", start, start + 7)


def test_searches_and_contexts_return_html(corpus: Corpus) -> None:
    upload(corpus, "town.html", PAGE)
    for path in ("/documents/_search", "/documents/_do_search"):
        (hit,) = corpus.post(path, params={"query": "Babbage", "htmlVersion": True})["hits"]
        assert text_of(hit["document"]["html"]) == hit["document"]["text"]
        (hit,) = corpus.post(path, params={"query": "Babbage"})["hits"]
        assert not {"html", "layout"} & set(hit["document"])
    body = {"search": {"query": "Babbage"}}
    asked = [
        corpus.post("/segments/_search", params={"query": "Babbage", "htmlVersion": True}),
        corpus.post("/segments/_do_search", params={"htmlVersion": True}, json=body),
        corpus.post("/segments/_similar", params={"text": "Babbage", "fields": "text", "htmlVersion": True}),
    ]
    for found in asked:
        segment = found["hits"][0]["segment"]
        assert text_of(segment["html"]) == segment["text"]
        assert "<strong>met</strong>" in segment["html"]
    segment = asked[0]["hits"][0]["segment"]
    around = corpus.post(
        "/segments/_context",
        params={
            "documentIdentifier": "town.html",
            "segmentStart": segment["start"],
            "sizeAfter": 2,
            "contextOutput": "all",
            "htmlVersion": True,
        },
    )
    pieces = [*around["before"]["segments"], *around["after"]["segments"], around["after"]["merged"]]
    assert all(text_of(one["html"]) == one["text"] for one in pieces)
    assert not any("html" in one["segment"] for one in corpus.post("/segments/_search")["hits"])


def test_suggestions_return_html(corpus: Corpus) -> None:
    upload(corpus, "town.html", PAGE)
    corpus.post("/labels", json={"name": "person", "label": "Person"})
    (whole,) = corpus.post("/documents/_search", params={"query": "Babbage"})["hits"]
    start = whole["document"]["text"].index("Ada")
    place = {"project_id": corpus.project.id, "document_id": int(whole["_id"]), "start": start, "end": start + 16}
    proposal = {"labelName": "person", "start": start, "end": start + 3, "text": "Ada", "score": 0.5}
    with unit_of_work(actor="", write=True) as unit:
        unit.session.add(Suggestion(**place, annotations=[proposal], suggester="s"))
    (shown,) = corpus.get("/suggestions", params={"htmlVersion": True})["suggestions"]
    pieces = [shown, *shown["before"]["segments"], *shown["after"]["segments"]]
    assert len(pieces) > 1
    assert all(text_of(one["html"]) == one["text"] for one in pieces)
    assert "<strong>" in shown["html"]
    (plain,) = corpus.get("/suggestions")["suggestions"]
    assert "html" not in plain


def test_markdown_projects_show_formatting(corpus: Corpus) -> None:
    """S-011, the markdown option: once it is on, existing texts have an HTML version."""
    corpus.add(document("a", TEXT, ("Babbage", "person")))
    assert read(corpus, "a")["hasLayout"] is False
    assert read(corpus, "a", htmlVersion=True)["html"].startswith("<p># Title 𝔘</p>")
    corpus.patch("/config", 204, json={"markdownContent": True})
    shown = read(corpus, "a", htmlVersion=True)
    assert shown["hasLayout"] is True
    assert text_of(shown["html"]) == TEXT
    assert '<h1><span class="syntax"># </span>Title 𝔘</h1>' in shown["html"]
    segment = corpus.post("/segments/_search", params={"query": "met", "htmlVersion": True})["hits"][0]["segment"]
    assert "<strong>" in segment["html"]


def test_cleaned_texts_keep_the_layout_of_their_tags(corpus: Corpus) -> None:
    """S-011, the cleaned html option: tags are removed from the text, offsets follow, and the HTML version shows the
    layout.
    """
    corpus.patch("/config", 204, json={"cleanHtml": True})
    corpus.add(document("a", "<h2>A 😀title</h2>\n<p>Ada <b>met Babbage</b></p>", ("Babbage", "person")))
    shown = read(corpus, "a", htmlVersion=True)
    assert shown["text"] == "A title\nAda met Babbage"
    assert shown["html"] == "<h2>A title</h2>\n<p>Ada <strong>met Babbage</strong></p>"
    assert shown["annotations"][0]["text"] == "Babbage"


def test_html_version_survives_export_and_archive_and_is_replaced_by_imports(corpus: Corpus, make_project: Any) -> None:
    upload(corpus, "town.html", PAGE)
    (out,) = corpus.get("/documents")
    assert out["layout"]
    other = Corpus(corpus.caller, make_project(owner="admin"), corpus.run_jobs)
    other.add(out)
    assert other.get("/documents")[0]["layout"] == out["layout"]
    assert read(other, "town.html", htmlVersion=True)["html"] == read(corpus, "town.html", htmlVersion=True)["html"]
    name, _ = import_project(corpus, export_project(corpus))
    restored = corpus.caller.get(f"/api/projects/{name}/documents").json()
    assert restored[0]["layout"] == out["layout"]
    upload(corpus, "town.html", PAGE.replace("<h1>", "<h3>").replace("</h1>", "</h3>"))
    (again,) = corpus.get("/documents")
    assert again["text"] == out["text"]
    assert again["layout"][0] | {"level": 3} == again["layout"][0]


def test_offsets_outside_the_text_are_left_out_with_a_message(corpus: Corpus) -> None:
    wrong = {"kind": "strong", "start": 3, "end": 99}
    good = {"kind": "strong", "start": 0, "end": 3}
    bad_link = {"kind": "link", "start": 0, "end": 3, "href": "javascript:alert(1)"}
    job = corpus.add(document("a", "Ada met Babbage.", layout=[good, wrong, bad_link]))
    assert job["status"] == "COMPLETED"
    assert read(corpus, "a", outputFields="layout")["layout"] == [good]
    items = corpus.get(f"/job/{job['id']}/items")
    assert "1 mark of the layout was left out" in json.dumps(items)
    corpus.add(document("b", "Ada met Babbage.", layout=[{"kind": "script", "start": 0, "end": 3}]))
    corpus.get("/documents/b", 404)


@pytest.mark.parametrize("parameters", [{"htmlVersion": True}, {"outputFields": "layout,html"}])
def test_permissions_to_read_the_html_version(
    client: Any, as_user: Any, make_project: Any, run_jobs: Any, parameters: Any
) -> None:
    project = make_project(owner="zoe", readers=("paul",))
    path = f"/api/projects/{project.name}/documents/town.html"
    own = Corpus(as_user(client, "zoe", "ProjectManager"), project, run_jobs)
    upload(own, "town.html", PAGE)
    assert client.get(path, params=parameters).status_code == 401
    assert as_user(client, "someone").get(path, params=parameters).status_code == 404
    answer = as_user(client, "paul").get(path, params=parameters)
    assert answer.status_code == 200
    assert "<h1>" in answer.json()["html"]
