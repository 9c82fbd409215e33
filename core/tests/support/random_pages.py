"""Pages as people write them, made at random from a seed: articles, shops, forums, forms, tables, with their faults."""

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
    """Makes one page from one seed; `number` tells the words of a page from each other."""

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
        """The whole page; some lack head, body or the end."""
        body = "\n".join(self.part(3) for _ in range(self.random.randint(3, 10)))
        title = f"<title>{self.words()}</title>"
        start = self.random.choice(("<!DOCTYPE html>\n<html>", "<html lang=fr>", "<!DOCTYPE html>", ""))
        head = self.random.choice((f"<head><meta charset=utf-8>{title}<style>p {{ color: red }}</style></head>", title))
        end = self.random.choice(("</body></html>", "", "</html>", f"</body>{self.words()}</html>"))
        return f"{start}{head}<body>{body}{end}"

    def part(self, depth: int) -> str:
        """Any part of a page, nested at most `depth` deep."""
        return self.random.choice(self._parts)(depth)

    def inner(self, depth: int) -> str:
        return self.part(depth - 1) if depth > 0 else self.paragraph(0)

    def words(self) -> str:
        """A sentence that occurs once in the page."""
        self.number += 1
        return f"{self.random.choice(_SENTENCES)} w{self.number} "

    def styled(self, depth: int = 2) -> str:
        """Words with inline markup, void elements and faults among them."""
        pieces = [self.words()]
        for _ in range(self.random.randint(0, 3)):
            kind = self.random.randrange(8)
            if kind == 0:
                pieces.append(f"<{self.random.choice(_VOID[:-2])} src=x> ")
            elif kind == 1 and depth:
                first, second = self.random.sample(("b", "i", "u", "em"), 2)
                pieces.append(f"<{first}>{self.words()}<{second}>{self.words()}</{first}>{self.words()}</{second}> ")
            elif kind == 2:
                pieces.append(f"<!-- {self.words()} -->")
            elif kind == 3:
                pieces.append(f"<embed src=movie>{self.words()}")
            elif depth:
                name = self.random.choice(_INLINE)
                pieces.append(f"<{name} class='x' title='a > b'>{self.styled(depth - 1)}</{name}> ")
            pieces.append(self.words())
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
        head = "<thead><tr>" + "".join(f"<th>{self.words()}</th>" for _ in range(columns)) + "</tr></thead>"
        caption = f"<caption>{self.words()}</caption>" if self.random.random() < 0.3 else ""
        form = ("<form>", "</form>") if self.random.random() < 0.2 else ("", "")
        body = ("<tbody>", "</tbody>") if self.random.random() < 0.5 else ("", "")
        return f"<table border=1>{caption}{form[0]}{head}{body[0]}{''.join(rows)}{body[1]}{form[1]}</table>"

    def layout_table(self, depth: int) -> str:
        return f"<table><tr><td>{self.inner(depth - 1)}{self.inner(depth - 1)}</table>"

    def form(self, _: int) -> str:
        return (
            f"<form action=x><fieldset><legend>{self.words()}</legend><label>{self.words()}<input name=a></label>"
            f"<input type=hidden value='no words'><button type=submit>{self.words()}<b>{self.words()}</b></button>"
            f"<select name=s><option>{self.words()}<option selected>{self.words()}</select>"
            f"<textarea>{self.words()}</textarea> {self.words()}</fieldset></form>"
        )

    def select(self, _: int) -> str:
        return (
            f"<p>{self.words()}<select><optgroup label=G><option value=1>{self.words()}</option></optgroup>"
            f"<option>{self.words()}</select> {self.words()}</p>"
        )

    def definitions(self, _: int) -> str:
        return f"<dl><dt>{self.words()}<dd>{self.styled()}<dt>{self.words()}</dt><dd>{self.styled()}</dd></dl>"

    def container(self, depth: int) -> str:
        name = self.random.choice(_CONTAINERS)
        inner = "\n".join(self.inner(depth) for _ in range(self.random.randint(1, 3)))
        return f"<{name} class=c>{inner}</{name}>"

    def hidden(self, _: int) -> str:
        return self.random.choice(
            (
                f"<div hidden>{self.words()}</div>",
                f"<div style='color:red; display: none'>{self.words()}<p>{self.words()}</p></div>",
                f"<p style='visibility:hidden'>{self.words()}<span style=visibility:visible>{self.words()}</span></p>",
                f"<template><p>{self.words()}</p></template>",
                f"<dialog>{self.words()}</dialog><dialog open>{self.words()}</dialog>",
                f"<input list=d><datalist id=d><option>{self.words()}</datalist>",
                f"<p aria-hidden=true>{self.words()}</p>",
            )
        )

    def preformatted(self, _: int) -> str:
        return f"<pre>\n{self.words()}\n   {self.words()}\t{self.words()}\n</pre><listing>{self.words()}</listing>"

    def details(self, depth: int) -> str:
        return f"<details><summary>{self.words()}</summary>{self.inner(depth)}</details>"

    def drawing(self, _: int) -> str:
        return (
            f"<svg viewBox='0 0 9 9'><title>{self.words()}</title><desc>{self.words()}</desc><defs><text>{self.words()}"
            f"</text></defs><g><text y=5>{self.words()}</text><text y=8>{self.words()}<tspan>{self.words()}</tspan>"
            f"</text></g><path d='M0 0'/></svg> {self.words()}"
        )

    def formula(self, _: int) -> str:
        return f"<p>{self.words()}<math><mrow><mi>x</mi><mo>=</mo><mn>5</mn></mrow></math> {self.words()}</p>"

    def raw(self, _: int) -> str:
        return (
            self.random.choice(
                (
                    "<script>var a = '<p>no words</p>'; if (a < b && c > d) { }</script>",
                    "<script><!-- <script> no </script> words --></script>",
                    "<style>p::before { content: '<b>' }</style>",
                    f"<xmp><b>{self.words()}</b></xmp>",
                    f"<noembed>{self.words()}</noembed><noframes>{self.words()}</noframes>",
                    f"<iframe src=about:blank>{self.words()}</iframe>",
                )
            )
            + f"<p>{self.words()}</p>"
        )

    def comments(self, _: int) -> str:
        return (
            f"<p>{self.words()}<!-- <p>{self.words()}</p> -->{self.words()}<!--> {self.words()}<!DOCTYPE x>"
            f"<![CDATA[{self.words()}]]> {self.words()}<?php echo 1 ?> {self.words()}</ x>{self.words()}</p>"
        )

    def fallback(self, _: int) -> str:
        return (
            f"<audio controls>{self.words()}</audio><video>{self.words()}</video><canvas>{self.words()}</canvas>"
            f"<object data=x.swf><param name=a>{self.words()}</object><applet>{self.words()}</applet>"
            f"<picture><source srcset=x><img alt=''></picture>{self.words()}<progress>{self.words()}</progress>"
        )

    def ruby(self, _: int) -> str:
        return f"<p>{self.words()}<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby></p>"

    def stray(self, _: int) -> str:
        return self.random.choice(
            (
                f"<table>{self.words()}<tr><td>{self.words()}<td>{self.words()}</table>",
                f"<table><tr><td>{self.words()}</td>{self.words()}<td>{self.words()}</td></tr></table>",
                f"<table><tr><div>{self.words()}</div><td>{self.words()}</table>",
                f"</div></p></span>{self.words()}</td></tr></table>{self.words()}</em>",
                f"<li>{self.words()}<td>{self.words()}</td><tr>{self.words()}<dd>{self.words()}",
                f"<option>{self.words()}</option>{self.words()}",
            )
        )

    def unclosed(self, _: int) -> str:
        name = self.random.choice(("b", "i", "font color=red", "span", "a href=x", "center", "big", "tt"))
        return f"<{name}>{self.words()}<p>{self.words()}<div>{self.words()}</div>"

    def figure(self, _: int) -> str:
        return (
            f"<figure><img src=x alt='{self.number} alt'><figcaption>{self.styled(1)}</figcaption></figure>"
            f"<map name=m><area alt=a>{self.words()}</map>"
        )

    def noscript(self, _: int) -> str:
        return self.random.choice(
            (
                f"<noscript>{self.styled(1)}</noscript>",
                f"<noscript><p>{self.words()}</p><img src=x></noscript>{self.words()}",
                f"<p>{self.words()}<noscript><iframe src=x></iframe></noscript>{self.words()}</p>",
            )
        )

    def bare(self, _: int) -> str:
        return f"\n{self.styled()} a < b and 5<6 and c<d {self.words()}>{self.words()}\n"
