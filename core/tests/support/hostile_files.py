"""Files of a megabyte that are expensive for a careless reader: generated text, no fixtures."""

from __future__ import annotations

from collections.abc import Callable

from support.hostile_test_sizes import hostile_test_size

SIZE = hostile_test_size(150_000, 1_000_000)
WHOLE = 1_000_000
"""Size in bytes for files whose cost was quadratic: cheap now, and far over the limit if that returns."""
MEBIBYTE = 1 << 20


def repeat_to_size(part: str, before: str = "", after: str = "") -> bytes:
    """Repeat the part up to a file of `SIZE` bytes."""
    return (before + part * ((SIZE - len(before) - len(after)) // len(part)) + after).encode()


def repeat_numbered(part: str, before: str = "", after: str = "", join: str = "", size: int = SIZE) -> bytes:
    """Like `repeat_to_size`, with the number of each part in it (`%d`)."""
    return (before + join.join(part % number for number in range(size // (len(part) + 4))) + after).encode()


FILES: dict[str, Callable[[], bytes]] = {
    # One element with all attributes: the parser compares each with those before it.
    "attributes.html": lambda: repeat_numbered(' a%d="1"', "<p", ">text</p>", size=WHOLE),
    "same_attribute.html": lambda: repeat_to_size(" a=1", "<p", ">text</p>"),
    "quotes.html": lambda: repeat_to_size("<a b='", "<p>text"),
    "other_quotes.html": lambda: repeat_to_size("<a b=\"<a c='", "<p>text"),
    "unclosed_paragraphs.html": lambda: repeat_to_size("<p>a"),
    "unclosed_styles.html": lambda: repeat_to_size("<p><b><i>a"),
    "unclosed_divisions.html": lambda: repeat_to_size("<div>a"),
    "unclosed_cells.html": lambda: repeat_to_size("<td>a", "<table><tr>"),
    "unclosed_links.html": lambda: repeat_to_size("<a href=x>a"),
    "closers.html": lambda: repeat_to_size("</b>", "<p>a"),
    "nul_signs.html": lambda: repeat_to_size("<p>a\0</p>"),
    "comments.html": lambda: repeat_to_size("<!--", "<p>a"),
    "entities.html": lambda: repeat_to_size("&amp;", "<p>a"),
    "word.html": lambda: repeat_to_size("a", "<p>"),
    "column_spans.html": lambda: repeat_to_size("<tr><td colspan=1000>a<td>b", "<table>"),
    "nested_tables.html": lambda: repeat_to_size("<table><tr><td>a</td><td>"),
    "types.html": lambda: repeat_to_size("<!DOCTYPE", "", "<p>a"),
    "attributes.xml": lambda: repeat_numbered(' a%d="1"', "<a", ">text</a>", size=WHOLE),
    "deep.xml": lambda: repeat_to_size("<a>"),
    "elements.xml": lambda: repeat_to_size("<b/>", "<a>x", "</a>"),
    "parameters.eml": lambda: b"Content-Type: text/plain" + b"; a=b" * (WHOLE // 5) + b"\n\nbody",
    "numbered_parameters.eml": lambda: repeat_numbered("; a*%d=b", "Content-Type: text/plain", "\n\nbody", size=WHOLE),
    "headers.eml": lambda: repeat_to_size("X: a\n", "", "\nbody"),
    "addresses.eml": lambda: repeat_to_size("a@b.c, ", "To: ", "\n\nbody"),
    "brackets.eml": lambda: repeat_to_size("(", "To: ", "\n\nbody"),
    "parts.eml": lambda: repeat_to_size(
        "--b\n\na\n", "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
    ),
    "answers.jsonl": lambda: repeat_numbered('"%d.suggestion":"x"', '{"text":"a",', "}", ",", WHOLE),
    "spans.jsonl": lambda: repeat_numbered('[0,1,"%d"]', '{"text":"abc","label":[', "]}", ","),
    "brackets.json": lambda: repeat_to_size("["),
    "backslashes.json": lambda: repeat_to_size("\\", '["'),
    "commas.json": lambda: repeat_to_size(",", "[", "0]"),
    "keys.json": lambda: repeat_numbered('"k%d":1', '[{"text":"a","metadata":{', "}}]", ","),
    "wrong_places.json": lambda: repeat_to_size(
        '{"start":5,"end":9,"text":"z","labelName":"a"},',
        '[{"text":"a","annotations":[',
        '{"start":0,"end":1,"labelName":"a"}]}]',
    ),
    "quotes.csv": lambda: repeat_to_size('"', "text,b\n"),
    "columns.csv": lambda: repeat_numbered("c%d", "", "\nx", ","),
    "braces.rtf": lambda: repeat_to_size("{", "{\\rtf1 a"),
    "words.rtf": lambda: repeat_to_size("\\b", "{\\rtf1 a", "}"),
    "blanks.txt": lambda: repeat_to_size(" \n", "a"),
    "bytes.txt": lambda: bytes(range(128, 256)) * (SIZE // 128),
}
