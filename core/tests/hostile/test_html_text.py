"""No word that a browser displays of a page is lost by the import, and none is added.

Compared with the `innerText` of a headless Chromium, over generated and hostile pages. Collapsed `details`, the content
of text areas and the brackets of ruby annotations count as text too: the harness makes the browser display them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from support.browser_text import visible_texts
from support.hostile_files import FILES
from support.hostile_test_sizes import hostile_test_size
from support.random_pages import PageMaker

from annotarium.importing.document_preparation import PrepareOptions, prepare_document
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.html_text import HtmlOptions, read_page
from annotarium_plugins.builtin.converters.html_converter import HtmlConverter, HtmlConverterParameters

_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")

SMALL: dict[str, tuple[str, str]] = {
    "a void element": ("<p>Before embed</p><embed src='x'><p>After embed</p>", "Before embed After embed"),
    "a void element in a line": ("<p>One <embed src=x> two three.</p>", "One two three."),
    "every void element": (
        "<p>a <source> b <track> c <wbr> d <param> e <keygen> f <command> g <bgsound> h <basefont> i <frame> j <image> "
        "k <area> l <base> m <link> n <meta> o <col> p <input> q <hr> r",
        "a b c d e f g h i j k l m n o p q r",
    ),
    "a void element in a cell": ("<table><tr><td>a <embed> b<td>c</table>", "a b c"),
    "no scripts": ("<p>a<noscript>Turn on <b>scripts</b></noscript>", "aTurn on scripts"),
    "a choice": ("<p>x<select><optgroup label=L><option>one<option>two</select>y", "x one two y"),
    "a choice in a cell": ("<table><tr><td><select><option>one<option>two</select><td>c</table>", "one two c"),
    "words after the page": ("<body><p>a</p></body>b</html>c", "a bc"),
    "words between cells": ("<table>a<tr><td>b</td>c<td>d</td></tr>e</table>", "a b c d e"),
    "unknown elements": ("<p>a <foo-bar>b</foo-bar> <o:p>c</o:p> <unknown>d <p>e", "a b c d e"),
    "a map": ("<map><area alt=x>a</map> <canvas>b</canvas> <applet>c</applet>", "a b c"),
    "a drawing": ("<svg><title>t</title><desc>d</desc><text>a</text><text>b</text></svg> c", "a b c"),
    "shown again": ("<p style='visibility:hidden'>a <b style='visibility: visible'>b</b></p>", "b"),
    "a NUL": ("<p>a\0b</p>", "ab"),
}


def characters(text: str) -> Counter[str]:
    """Count the letters, digits and signs of a text, without white space."""
    return Counter("".join(unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).split()))


def difference(theirs: str, ours: str) -> tuple[Counter[str], Counter[str]] | None:
    """Return what is lost and what is added, None if both texts have the same words."""
    for parts in (characters, _numbered):
        lost, added = parts(theirs) - parts(ours), parts(ours) - parts(theirs)
        if lost or added:
            return lost, added
    return None


def _numbered(text: str) -> Counter[str]:
    return Counter(re.findall(r"w\d+", text))


def read(html: str) -> str:
    """Return the imported text of a page, without list markers."""
    builder = read_page(html, HtmlOptions()).builder
    text = builder.text
    for mark in reversed([one for one in builder.layout or () if one.kind == "syntax"]):
        text = text[: mark.start] + text[mark.end :]
    return text


@pytest.mark.parametrize("name", SMALL)
def test_no_element_removes_the_text_around_it(name: str) -> None:
    """Void and unknown elements, raw text, implicitly closed elements and elements in invalid positions."""
    html, expected = SMALL[name]
    assert read(html).split() == expected.split()


def test_omitted_elements_are_reported() -> None:
    """The number of words and the elements that contained them; the user sees it next to the document."""
    html = (
        "<title>no words</title><style>a {}</style><script>var a</script><p>text</p><template>one two</template>"
        "<p hidden>three</p><iframe>four</iframe><select>five<option>kept</select>"
        "<table><tr><td>a<video>six</video><td>b</table>"
    )
    document = HtmlConverter(HtmlConverterParameters()).document(html, "a.html")
    (note,) = prepare_document(document, options=PrepareOptions(policy="no_segmentation"), segment=lambda *_: []).notes
    assert note == "6 words that browsers do not show were left out (template, hidden, iframe, video)"
    assert document.text == "text\n\nkept\n\na\tb"
    menu = HtmlConverter(HtmlConverterParameters(navigation=False)).document("<nav>a b</nav><p>text", "b.html")
    assert menu.notes == ["2 words that browsers do not show were left out (nav)"]
    assert HtmlConverter(HtmlConverterParameters()).document("<nav>a b</nav><p>text", "c.html").notes == []


def test_generated_pages_have_the_text_that_a_browser_displays(tmp_path: Path) -> None:
    """Two hundred pages with everything that occurs in real pages; one seed each, so that a failure names it."""
    pages = [PageMaker(seed).page() for seed in range(hostile_test_size(200, 2_000))]
    compared = zip(pages, visible_texts(pages, tmp_path), strict=True)
    different = {seed: found for seed, (page, shown) in enumerate(compared) if (found := difference(shown, read(page)))}
    assert different == {}


def test_hostile_pages_have_the_text_that_a_browser_displays(tmp_path: Path) -> None:
    """The hostile pages that are not refused with a message."""
    pages: dict[str, str] = {}
    for name, content in FILES.items():
        if name.endswith(".html"):
            try:
                read(page := content()[: hostile_test_size(10_000, 150_000)].decode())
            except ComponentError:
                continue
            pages[name] = page
    shown = dict(zip(pages, visible_texts(list(pages.values()), tmp_path), strict=True))
    different = {name: found for name, page in pages.items() if (found := difference(shown[name], read(page)))}
    assert different == {}
    assert len(pages) > 10
