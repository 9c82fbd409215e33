"""Files of a megabyte that cost a careless reader much: generated text, no fixtures."""

from __future__ import annotations

from collections.abc import Callable

from support.scale import scale

SIZE = scale(150_000, 1_000_000)
WHOLE = 1_000_000
"""Of files whose cost was the square of their size: cheap by now, and far over the limit if it comes back."""
MEBIBYTE = 1 << 20


def filled(part: str, before: str = "", after: str = "") -> bytes:
    """As many parts as make a file of `SIZE`."""
    return (before + part * ((SIZE - len(before) - len(after)) // len(part)) + after).encode()


def counted(part: str, before: str = "", after: str = "", join: str = "", size: int = SIZE) -> bytes:
    """The same with parts that hold their number (`%d`)."""
    return (before + join.join(part % number for number in range(size // (len(part) + 4))) + after).encode()


FILES: dict[str, Callable[[], bytes]] = {
    # One tag with all attributes: the parser compares each with those before it.
    "attributes.html": lambda: counted(' a%d="1"', "<p", ">text</p>", size=WHOLE),
    "same_attribute.html": lambda: filled(" a=1", "<p", ">text</p>"),
    "quotes.html": lambda: filled("<a b='", "<p>text"),
    "other_quotes.html": lambda: filled("<a b=\"<a c='", "<p>text"),
    "unclosed_paragraphs.html": lambda: filled("<p>a"),
    "unclosed_styles.html": lambda: filled("<p><b><i>a"),
    "unclosed_divisions.html": lambda: filled("<div>a"),
    "unclosed_cells.html": lambda: filled("<td>a", "<table><tr>"),
    "unclosed_links.html": lambda: filled("<a href=x>a"),
    "closers.html": lambda: filled("</b>", "<p>a"),
    "nul_signs.html": lambda: filled("<p>a\0</p>"),
    "comments.html": lambda: filled("<!--", "<p>a"),
    "entities.html": lambda: filled("&amp;", "<p>a"),
    "word.html": lambda: filled("a", "<p>"),
    "column_spans.html": lambda: filled("<tr><td colspan=1000>a<td>b", "<table>"),
    "nested_tables.html": lambda: filled("<table><tr><td>a</td><td>"),
    "types.html": lambda: filled("<!DOCTYPE", "", "<p>a"),
    "attributes.xml": lambda: counted(' a%d="1"', "<a", ">text</a>", size=WHOLE),
    "deep.xml": lambda: filled("<a>"),
    "elements.xml": lambda: filled("<b/>", "<a>x", "</a>"),
    "parameters.eml": lambda: b"Content-Type: text/plain" + b"; a=b" * (WHOLE // 5) + b"\n\nbody",
    "numbered_parameters.eml": lambda: counted("; a*%d=b", "Content-Type: text/plain", "\n\nbody", size=WHOLE),
    "headers.eml": lambda: filled("X: a\n", "", "\nbody"),
    "addresses.eml": lambda: filled("a@b.c, ", "To: ", "\n\nbody"),
    "brackets.eml": lambda: filled("(", "To: ", "\n\nbody"),
    "parts.eml": lambda: filled("--b\n\na\n", "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"),
    "answers.jsonl": lambda: counted('"%d.suggestion":"x"', '{"text":"a",', "}", ",", WHOLE),
    "spans.jsonl": lambda: counted('[0,1,"%d"]', '{"text":"abc","label":[', "]}", ","),
    "brackets.json": lambda: filled("["),
    "backslashes.json": lambda: filled("\\", '["'),
    "commas.json": lambda: filled(",", "[", "0]"),
    "keys.json": lambda: counted('"k%d":1', '[{"text":"a","metadata":{', "}}]", ","),
    "wrong_places.json": lambda: filled(
        '{"start":5,"end":9,"text":"z","labelName":"a"},',
        '[{"text":"a","annotations":[',
        '{"start":0,"end":1,"labelName":"a"}]}]',
    ),
    "quotes.csv": lambda: filled('"', "text,b\n"),
    "columns.csv": lambda: counted("c%d", "", "\nx", ","),
    "braces.rtf": lambda: filled("{", "{\\rtf1 a"),
    "words.rtf": lambda: filled("\\b", "{\\rtf1 a", "}"),
    "blanks.txt": lambda: filled(" \n", "a"),
    "bytes.txt": lambda: bytes(range(128, 256)) * (SIZE // 128),
}
