"""Realistic HTML pages generated from a seed: articles, shops, forums, forms, tables, with typical errors."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

_SENTENCES = (
    "The committee met on Tuesday and adopted the report without a vote.",
    "Prices rose by 3.5 % in the third quarter, the fastest pace since 2011.",
    "Le ministre a déclaré qu’il n’y aurait « aucune exception » à la règle.",
    "L’été dernier, les élèves ont planté cœurs-de-bœuf et œillets.",
    "Die Größe der Straße überraschte viele Fußgänger und Radfahrer.",
    "Příliš žluťoučký kůň úpěl ďábelské ódy.",
    "Zażółć gęślą jaźń, powiedział Łukasz.",
    "В начале июля, в чрезвычайно жаркое время, под вечер вышел молодой человек.",
    "Η γρήγορη καφέ αλεπού πηδάει πάνω από το σκυλί.",
    "吾輩は猫である。名前はまだ無い。",
    "北京市海淀区中关村大街二十七号。",
    "대한민국의 수도는 서울이다.",
    "كان يا ما كان في قديم الزمان.",
    "היה היה פעם מלך גדול.",
    "ที่ทำการไปรษณีย์เปิดเวลาแปดโมง",
    "यह एक छोटा सा वाक्य है।",
    "Ça coûte 12 € — pas plus, pas moins… 🙂",
    "See AT&amp;T, R&D, a &lt; b, x&nbsp;=&nbsp;5, caf&eacute; &mdash; fin&hellip;",
    "Temperatures of &minus;5&deg;C &amp; &#8364;20 &#x263A; &copy 2024.",
    "Call +33 1 23 45 67 89 or write to info@example.org.",
)
_VOID = (
    "embed",
    "wbr",
    "br",
    "img",
    "input",
    "source",
    "track",
    "area",
    "param",
    "bgsound",
    "basefont",
    "hr",
    "keygen",
)
_INLINE = [
    "b",
    "i",
    "em",
    "strong",
    "span",
    "a",
    "code",
    "kbd",
    "samp",
    "var",
    "mark",
    "u",
    "s",
    "small",
    "big",
    "sub",
    "sup",
    "abbr",
    "cite",
    "q",
    "dfn",
    "time",
    "font",
    "tt",
    "label",
    "data",
    "bdi",
    "ins",
    "del",
    "nobr",
    "custom-tag",
    "o:p",
    "st1:city",
    "blink",
    "ruby-x",
]
_CONTAINERS = [
    "div",
    "section",
    "article",
    "main",
    "header",
    "footer",
    "aside",
    "nav",
    "form",
    "fieldset",
    "center",
    "blockquote",
    "figure",
    "address",
    "search",
    "hgroup",
    "my-element",
]


class PageMaker:
    """Generates one page from one seed; `number` makes each line of a page unique."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.number = 0
        self._parts: tuple[Callable[[int], str], ...] = (
            self.paragraph, self.paragraph, self.paragraph, self.heading, self.list, self.table, self.layout_table,
            self.form, self.select, self.definitions, self.container, self.container, self.hidden, self.preformatted,
            self.details, self.drawing, self.formula, self.raw, self.comments, self.fallback, self.ruby, self.stray,
            self.unclosed, self.figure, self.noscript, self.bare,
        )  # fmt: skip

    def page(self) -> str:
        """Return a whole page; some lack head, body or the end."""
        body = "\n".join(self.part(3) for _ in range(self.random.randint(3, 10)))
        title = f"<title>{self.line()}</title>"
        start = self.random.choice(("<!DOCTYPE html>\n<html>", "<html lang=fr>", "<!DOCTYPE html>", ""))
        head = self.random.choice((f"<head><meta charset=utf-8>{title}<style>p {{ color: red }}</style></head>", title))
        end = self.random.choice(("</body></html>", "", "</html>", f"</body>{self.line()}</html>"))
        return f"{start}{head}<body>{body}{end}"

    def part(self, depth: int) -> str:
        """Return a random part of a page, nested at most `depth` deep."""
        return self.random.choice(self._parts)(depth)

    def inner(self, depth: int) -> str:
        return self.part(depth - 1) if depth > 0 else self.paragraph(0)

    def line(self) -> str:
        """Return a sentence that occurs once in the page."""
        self.number += 1
        return f"{self.random.choice(_SENTENCES)} w{self.number} "

    def styled(self, depth: int = 2) -> str:
        """Return text with inline markup, void elements and errors."""
        pieces = [self.line()]
        for _ in range(self.random.randint(0, 3)):
            kind = self.random.randrange(8)
            if kind == 0:
                pieces.append(f"<{self.random.choice(_VOID[:-2])} src=x> ")
            elif kind == 1 and depth:
                first, second = self.random.sample(("b", "i", "u", "em"), 2)
                pieces.append(f"<{first}>{self.line()}<{second}>{self.line()}</{first}>{self.line()}</{second}> ")
            elif kind == 2:
                pieces.append(f"<!-- {self.line()} -->")
            elif kind == 3:
                pieces.append(f"<embed src=movie>{self.line()}")
            elif depth:
                name = self.random.choice(_INLINE)
                pieces.append(f"<{name} class='x' title='a > b'>{self.styled(depth - 1)}</{name}> ")
            pieces.append(self.line())
        return "".join(pieces)

    def paragraph(self, _: int) -> str:
        end = "</p>" if self.random.random() < 0.7 else ""
        breaks = self.random.choice(("", "<br>", "<br/>", "<BR CLEAR=ALL>"))
        return f"<p>{self.styled()}{breaks}{self.styled(1)}{end}"

    def heading(self, _: int) -> str:
        level = self.random.randint(1, 6)
        return f"<h{level} id=x>{self.styled(1)}</h{level}>"

    def list(self, depth: int) -> str:
        name = self.random.choice(("ul", "ol", "menu", "dir"))
        end = self.random.choice(("</li>", ""))
        items = "".join(
            f"<li>{self.styled(1)}{self.inner(depth - 1) if self.random.random() < 0.2 else ''}{end}\n"
            for _ in range(self.random.randint(1, 4))
        )
        return f"<{name}>{items}</{name}>"

    def table(self, _: int) -> str:
        end = self.random.choice(("</td>", ""))
        columns = self.random.randint(2, 4)
        rows = [
            "<tr>" + "".join(f"<td>{self.styled(1)}{end}" for _ in range(columns)) + "</tr>"
            for _ in range(self.random.randint(1, 4))
        ]
        head = "<thead><tr>" + "".join(f"<th>{self.line()}</th>" for _ in range(columns)) + "</tr></thead>"
        caption = f"<caption>{self.line()}</caption>" if self.random.random() < 0.3 else ""
        form = ("<form>", "</form>") if self.random.random() < 0.2 else ("", "")
        body = ("<tbody>", "</tbody>") if self.random.random() < 0.5 else ("", "")
        return f"<table border=1>{caption}{form[0]}{head}{body[0]}{''.join(rows)}{body[1]}{form[1]}</table>"

    def layout_table(self, depth: int) -> str:
        return f"<table><tr><td>{self.inner(depth - 1)}{self.inner(depth - 1)}</table>"

    def form(self, _: int) -> str:
        return (
            f"<form action=x><fieldset><legend>{self.line()}</legend><label>{self.line()}<input name=a></label>"
            f"<input type=hidden value='no words'><button type=submit>{self.line()}<b>{self.line()}</b></button>"
            f"<select name=s><option>{self.line()}<option selected>{self.line()}</select>"
            f"<textarea>{self.line()}</textarea> {self.line()}</fieldset></form>"
        )

    def select(self, _: int) -> str:
        return (
            f"<p>{self.line()}<select><optgroup label=G><option value=1>{self.line()}</option></optgroup>"
            f"<option>{self.line()}</select> {self.line()}</p>"
        )

    def definitions(self, _: int) -> str:
        return f"<dl><dt>{self.line()}<dd>{self.styled()}<dt>{self.line()}</dt><dd>{self.styled()}</dd></dl>"

    def container(self, depth: int) -> str:
        name = self.random.choice(_CONTAINERS)
        inner = "\n".join(self.inner(depth) for _ in range(self.random.randint(1, 3)))
        return f"<{name} class=c>{inner}</{name}>"

    def hidden(self, _: int) -> str:
        return self.random.choice(
            (
                f"<div hidden>{self.line()}</div>",
                f"<div style='color:red; display: none'>{self.line()}<p>{self.line()}</p></div>",
                f"<p style='visibility:hidden'>{self.line()}<span style=visibility:visible>{self.line()}</span></p>",
                f"<template><p>{self.line()}</p></template>",
                f"<dialog>{self.line()}</dialog><dialog open>{self.line()}</dialog>",
                f"<input list=d><datalist id=d><option>{self.line()}</datalist>",
                f"<p aria-hidden=true>{self.line()}</p>",
            )
        )

    def preformatted(self, _: int) -> str:
        return f"<pre>\n{self.line()}\n   {self.line()}\t{self.line()}\n</pre><listing>{self.line()}</listing>"

    def details(self, depth: int) -> str:
        return f"<details><summary>{self.line()}</summary>{self.inner(depth)}</details>"

    def drawing(self, _: int) -> str:
        return (
            f"<svg viewBox='0 0 9 9'><title>{self.line()}</title><desc>{self.line()}</desc><defs><text>{self.line()}"
            f"</text></defs><g><text y=5>{self.line()}</text><text y=8>{self.line()}<tspan>{self.line()}</tspan>"
            f"</text></g><path d='M0 0'/></svg> {self.line()}"
        )

    def formula(self, _: int) -> str:
        return f"<p>{self.line()}<math><mrow><mi>x</mi><mo>=</mo><mn>5</mn></mrow></math> {self.line()}</p>"

    def raw(self, _: int) -> str:
        return (
            self.random.choice(
                (
                    "<script>var a = '<p>no words</p>'; if (a < b && c > d) { }</script>",
                    "<script><!-- <script> no </script> words --></script>",
                    "<style>p::before { content: '<b>' }</style>",
                    f"<xmp><b>{self.line()}</b></xmp>",
                    f"<noembed>{self.line()}</noembed><noframes>{self.line()}</noframes>",
                    f"<iframe src=about:blank>{self.line()}</iframe>",
                )
            )
            + f"<p>{self.line()}</p>"
        )

    def comments(self, _: int) -> str:
        return (
            f"<p>{self.line()}<!-- <p>{self.line()}</p> -->{self.line()}<!--> {self.line()}<!DOCTYPE x>"
            f"<![CDATA[{self.line()}]]> {self.line()}<?php echo 1 ?> {self.line()}</ x>{self.line()}</p>"
        )

    def fallback(self, _: int) -> str:
        return (
            f"<audio controls>{self.line()}</audio><video>{self.line()}</video><canvas>{self.line()}</canvas>"
            f"<object data=x.swf><param name=a>{self.line()}</object><applet>{self.line()}</applet>"
            f"<picture><source srcset=x><img alt=''></picture>{self.line()}<progress>{self.line()}</progress>"
        )

    def ruby(self, _: int) -> str:
        return f"<p>{self.line()}<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby></p>"

    def stray(self, _: int) -> str:
        return self.random.choice(
            (
                f"<table>{self.line()}<tr><td>{self.line()}<td>{self.line()}</table>",
                f"<table><tr><td>{self.line()}</td>{self.line()}<td>{self.line()}</td></tr></table>",
                f"<table><tr><div>{self.line()}</div><td>{self.line()}</table>",
                f"</div></p></span>{self.line()}</td></tr></table>{self.line()}</em>",
                f"<li>{self.line()}<td>{self.line()}</td><tr>{self.line()}<dd>{self.line()}",
                f"<option>{self.line()}</option>{self.line()}",
            )
        )

    def unclosed(self, _: int) -> str:
        name = self.random.choice(("b", "i", "font color=red", "span", "a href=x", "center", "big", "tt"))
        return f"<{name}>{self.line()}<p>{self.line()}<div>{self.line()}</div>"

    def figure(self, _: int) -> str:
        return (
            f"<figure><img src=x alt='{self.number} alt'><figcaption>{self.styled(1)}</figcaption></figure>"
            f"<map name=m><area alt=a>{self.line()}</map>"
        )

    def noscript(self, _: int) -> str:
        return self.random.choice(
            (
                f"<noscript>{self.styled(1)}</noscript>",
                f"<noscript><p>{self.line()}</p><img src=x></noscript>{self.line()}",
                f"<p>{self.line()}<noscript><iframe src=x></iframe></noscript>{self.line()}</p>",
            )
        )

    def bare(self, _: int) -> str:
        return f"\n{self.styled()} a < b and 5<6 and c<d {self.line()}>{self.line()}\n"
