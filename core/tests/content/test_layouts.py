"""Layouts: whatever a layout contains, the HTML generated from it contains the text itself and nothing executable."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium.content.layouts.html_writer import layout_html
from annotarium.content.layouts.markdown import markdown_layout
from annotarium.content.layouts.marks import MAX_DEPTH, Mark, contains_mark, tidy_layout
from annotarium.content.layouts.plain_text import plain_layout
from annotarium.importing.cleaning import clean_document
from annotarium_plugins.builtin.converters.common.html_parsing import sanitise_html
from annotarium_schemas.documents import Annotation, Document, LayoutKind, LayoutMark

SIGNS = [
    "a",
    "é",
    "e\u0301",
    "😀",
    "👩‍👩‍👧",
    "\r\n",
    "\n",
    "\n\n",
    " ",
    "\t",
    "שלום",
    "𝔘",
    "<b>",
    "&amp;",
    "]]>",
    "-",
    "#",
]
MARKDOWN = [
    "# ",
    "\n",
    "\n\n",
    "**",
    "*",
    "_",
    "`",
    "```",
    "- ",
    "  - ",
    "1. ",
    "> ",
    "|",
    "|-|-|",
    "===",
    "[",
    "](h:x)",
]
TAGS = [
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<ul>",
    "<li>",
    "</ul>",
    "<h2>",
    "</h2>",
    "<td>",
    "<table>",
    "<tr>",
]
texts = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=40).map("".join)
ELEMENT = re.compile(r"</?([a-z0-9]+)([^<>]*)>")


def visible_text(html: str) -> str:
    """Return the concatenated text nodes of HTML, parsed by the rules of HTML 5."""
    return unescape(ELEMENT.sub("", sanitise_html(html)))


@st.composite
def layouts(draw: st.DrawFn, length: int) -> list[LayoutMark]:
    place = st.integers(-1, length + 1)
    kinds = st.sampled_from(get_args(LayoutKind))
    address = st.sampled_from(["https://example.org/?a=1&b=2", "javascript:alert(1)", "//x", 'https://x/"onx="', ""])
    mark = st.builds(
        LayoutMark,
        kind=kinds,
        start=place,
        end=place,
        level=st.integers(-3, 9),
        href=address,
        alt=st.sampled_from(["", '"><script>', "a picture"]),
        ordered=st.booleans(),
        header=st.booleans(),
    )
    return draw(st.lists(mark, max_size=25))


def check_html(text: str, marks: list[Mark]) -> None:
    html = layout_html(text, marks)
    assert visible_text(html) == text
    for name, attributes in ELEMENT.findall(html):
        assert name not in ("script", "style", "iframe")
        assert re.fullmatch(r'( (alt|class|rel)="[^"]*"| href="(https?|mailto):[^"]*")*', attributes), attributes
    for start in range(0, len(text), 3):
        for end in (start + 1, start + 7, len(text)):
            piece = layout_html(text[start:end], marks, start)
            assert visible_text(piece) == text[start:end]


@settings(max_examples=300, deadline=None)
@given(data=st.data(), text=texts)
def test_html_version_is_the_text_itself(data: st.DataObject, text: str) -> None:
    """S-011: offsets counted in the visible text of the HTML version are offsets of the text, whatever the layout."""
    marks, _ = tidy_layout(data.draw(layouts(len(text))), text)
    check_html(text, marks)
    again, lost = tidy_layout([LayoutMark(**one) for one in marks], text)
    assert (again, lost) == (marks, 0)
    for outer, inner in pairwise(marks):
        assert outer["start"] <= inner["start"]
        assert not contains_mark(outer, inner) or inner["end"] <= outer["end"]


@settings(max_examples=300, deadline=None)
@given(parts=st.lists(st.sampled_from([*SIGNS, *MARKDOWN]), min_size=1, max_size=40))
def test_markdown_keeps_every_character(parts: list[str]) -> None:
    """S-011: Markdown is displayed with its formatting; the markup characters remain in the text at their offsets."""
    text = "".join(parts)
    marks, lost = tidy_layout(markdown_layout(text), text)
    assert lost == 0
    check_html(text, marks)


@settings(max_examples=200, deadline=None)
@given(parts=st.lists(st.sampled_from([*SIGNS, *TAGS]), min_size=1, max_size=40), data=st.data())
def test_cleaned_tags_become_the_layout(parts: list[str], data: st.DataObject) -> None:
    """S-011: where imports clean texts, the removed tags become the layout."""
    text = "".join(parts)
    document = Document(text=text, annotations=[Annotation(start=0, end=len(text), label_name="x", text=text)])
    clean_document(document, tags_and_emojis=True, carriage_returns=data.draw(st.booleans()))
    marks, lost = tidy_layout(document.layout or [], document.text)
    assert lost == 0
    check_html(document.text, marks)


def shown(text: str, marks: list[Mark]) -> list[tuple[Any, ...]]:
    return [(one["kind"], text[one["start"] : one["end"]]) for one in marks]


def test_cleaned_tags_by_example() -> None:
    document = Document(
        text='<h2>Title</h2><p>Some <b>bold <i>and</b> more</i> <a href="https://x.org/">link</a>.<ul><li>one<li>two</ul>'
    )
    clean_document(document, tags_and_emojis=True, carriage_returns=False)
    marks, _ = tidy_layout(document.layout or [], document.text)
    assert document.text == "TitleSome bold and more link.onetwo"
    assert shown(document.text, marks) == [
        ("heading", "Title"),
        ("paragraph", "Some bold and more link."),
        ("strong", "bold and"),
        ("emphasis", "and"),
        ("link", "link"),
        ("list", "onetwo"),
        ("item", "one"),
        ("item", "two"),
    ]


def test_markdown_by_example() -> None:
    text = "# A *b*\n\nWords `x*y*` [l](https://x.org)\n\n- one\n  - two\n\n> said\n\n|a|b|\n|-|-|\n|1|2|"
    text += "\n\n```\n**no**\n```"
    marks, _ = tidy_layout(markdown_layout(text), text)
    kinds = [(kind, words) for kind, words in shown(text, marks) if kind != "syntax"]
    assert kinds == [
        ("heading", "# A *b*"),
        ("emphasis", "*b*"),
        ("paragraph", "Words `x*y*` [l](https://x.org)"),
        ("code", "`x*y*`"),
        ("link", "[l](https://x.org)"),
        ("list", "- one\n  - two"),
        ("item", "- one\n  - two"),
        ("list", "  - two"),
        ("item", "  - two"),
        ("quote", "> said"),
        ("paragraph", "said"),
        ("table", "|a|b|\n|-|-|\n|1|2|"),
        ("row", "|a|b|"),
        ("cell", "|a|"),
        ("cell", "b|"),
        ("row", "|-|-|"),
        ("cell", "|-|"),
        ("cell", "-|"),
        ("row", "|1|2|"),
        ("cell", "|1|"),
        ("cell", "2|"),
        ("preformatted", "```\n**no**\n```"),
    ]


def test_hostile_layouts_and_markdown_take_linear_time() -> None:
    """Depth is bounded, and a megabyte of unclosed markup is read in one pass."""
    text = "x" * 5000
    nested = [LayoutMark(kind="quote", start=at, end=5000 - at) for at in range(2000)]
    marks, _ = tidy_layout(nested, text)
    assert len(marks) == MAX_DEPTH
    for sign in ("*a", "[", "`a``b", "> ", "- ", "|", "# ", "_a ", "![](", "<https://"):
        assert layout_html(sign * 50_000, tidy_layout(markdown_layout(sign * 50_000), sign * 50_000)[0])


def test_text_between_cells_stays_in_the_table() -> None:
    text = "a | b\nc | d"
    marks = [LayoutMark(kind="table", start=0, end=11)]
    for at in (0, 6):
        marks += [
            LayoutMark(kind="row", start=at, end=at + 5),
            LayoutMark(kind="cell", start=at, end=at + 1),
            LayoutMark(kind="cell", start=at + 4, end=at + 5),
        ]
    found, _ = tidy_layout(marks, text)
    assert layout_html(text, found) == (
        "<table><tr><td>a | </td><td>b</td></tr>\n<tr><td>c | </td><td>d</td></tr></table>"
    )


def test_plain_text_has_paragraphs() -> None:
    text = "one\ntwo\n \nthree 😀"
    assert layout_html(text, plain_layout(text)) == "<p>one<br>\ntwo</p>\n \n<p>three 😀</p>"
    assert tidy_layout([LayoutMark(kind="paragraph", start=0, end=3)], text)[0] == []
