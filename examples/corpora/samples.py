#!/usr/bin/env python3
"""Generates two small synthetic corpora for tests and demonstrations where no public corpus is available.

    python examples/corpora/samples.py posts --count 420 --output posts.json
    python examples/corpora/samples.py questions --count 300 --output questions.json

`posts` are short messages with spans of six labels (person, location, corporation, group, product, creative_work).
About two of three contain one; as with real annotators, one span in twelve is missing. `questions` have one of six
categories (abbr, desc, enty, hum, loc, num). People, places and works are invented. The same count gives the same
documents on every machine, and a shorter list is the beginning of a longer one. Models can learn from them, but the
results do not show how well a model works on real texts.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

LABELS = ("person", "location", "corporation", "group", "product", "creative_work")
# Words that fill the placeholders of the templates, one kind per line; kinds that are not labels only vary the text.
_FILLS = """
first: Mara | Idris | Noor | Tomas | Wen | Agnes | Lucio | Priya | Sven | Odile | Farah | Jonas | Keiko | Bruno | Zofia
first: Amadou | Ruth | Pavel
last: Ellison | Okoro | Varga | Lindqvist | Marchetti | Haddad | Novak | Sato | Brandt | Achebe | Delorme | Quist | Tamm
location: Halden | Saint Ardley | Port Meral | Osterby | New Corran | Lake Timsa | Varn | Belmouth | the Ilex Valley
location: Tarrow Street | Kessel Bay | Monte Ruvo | East Dunmore | Quill Island | Novi Brod
corporation: Northwind Ferries | Halyard Bank | Brightloom | Osk Motors | Meridian Foods | Tern Air | Copperline
corporation: Vantis
group: the Harbour Choir | Osterby United | The Paper Lanterns | the Tram Riders | Corran Rovers | Night Shift Trio
product: Tern Phone 4 | Loomcast | the Osk Mini | Halyard Pay | BrightPad | Copper Cola | Vantis One
creative_work: The Salt Ledger | Winter Ferry | The Tide Table | Nine Lamps | A Cannery Song | Glass Orchard
creative_work: Slow Trains
day: monday | tuesday | wednesday | thursday | friday | saturday | sunday
sign: ! | . | . . . | 😂 | 😍 😍 | 👩🏽‍🚀 ! | lol | ? | #mood | ...
mood: happy | tired | proud | late | hungry | bored | sure | lost | fine | cold
thing: coffee | rain | soup | tea | music | homework | snow | work | sleep | cake | cheese | breakfast
noun: lighthouse | ferry | tram | library | cannery | bridge | harbour | museum | windmill | clock | lantern | canal
"""

POSTS = """
Yesterday {person} met people in {location} and {location} {sign}
just saw {person} at the station in {location} {sign}
I love {creative_work} , {person} is so good in it {sign}
watching {creative_work} with {person} on {day} {sign}
anyone going to see {group} in {location} this {day} ?
{group} play in {location} on {day} , who is in {sign}
{corporation} opens a new shop in {location} next {day} {sign}
my {product} died again , thanks {corporation} {sign}
love my new {product} {sign}
{person} and {person} are the best thing about {group} {sign}
stuck in {location} again , {corporation} cancelled everything {sign}
RT {person} : never buy {product} on a {day} {sign}
{person} works for {corporation} now {sign}
the book {creative_work} by {person} made me cry {sign}
they filmed {creative_work} near {location} {sign}
so {mood} today {sign}
why is {thing} so good on a {day} {sign}
no {thing} , no {thing} , only {mood} people {sign}
I love {thing} more than {thing} {sign}
it is {day} and I am {mood} already {sign}
need {thing} and then more {thing} before {day} {sign}
nobody told me about the {thing} on {day} {sign}
""".strip().splitlines()

_QUESTIONS = """
abbr: What does {letters} stand for ? | What is the abbreviation of {noun} {location} ? | {letters} is short for what ?
desc: What is a {noun} made for ? | How does a {noun} work ? | What is the meaning of {noun} ?
desc: Why do people need a {noun} in {location} ? | How do they clean the {noun} of {location} ?
enty: What kind of animal lives in a {noun} near {location} ? | What colour is the {noun} of {location} ?
enty: What is the name of the {noun} in {creative_work} ? | What cheese do they make in {location} ?
hum: Who wrote {creative_work} ? | Who was the first to build a {noun} in {location} ?
hum: Who is the mayor of {location} ? | Who invented the {noun} ? | Who was {person} ?
loc: Where is {location} ? | What country is {location} in ? | Which city has the biggest {noun} ?
loc: Where can I see a {noun} near {location} ? | Where was {person} born ?
num: How many people live in {location} ? | When was the {noun} of {location} built ? | How much is a {noun} ?
num: How far is it from {location} to the {noun} ? | When was {person} born ?
"""
HOLE = re.compile(r"\{(\w+)\}")


def _parse_named_lists(lines: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in lines.strip().splitlines():
        kind, _, values = line.partition(": ")
        found.setdefault(kind, []).extend(values.split(" | "))
    return found


FILLS = _parse_named_lists(_FILLS)
FILLS["person"] = FILLS["first"] + [f"{first} {last}" for first in FILLS["first"] for last in FILLS["last"]]
QUESTIONS = _parse_named_lists(_QUESTIONS)


def _random_filling(chance: random.Random, kind: str) -> str:
    if kind == "letters":
        return "".join(chance.choice("ABCDEFGHILMNOPRSTUV") for _ in range(chance.randint(2, 5)))
    return chance.choice(FILLS[kind])


def _document(identifier: str, text: str) -> dict[str, Any]:
    title = text if len(text) <= 60 else text[:57] + "..."
    return {"identifier": identifier, "title": title, "text": text, "metadata": {"source": "Annotarium sample"}}


def _post(chance: random.Random) -> tuple[str, list[dict[str, Any]]]:
    """Return a text and its spans; offsets are Unicode code points."""
    text, spans, read = "", [], 0
    template = chance.choice(POSTS)
    for hole in HOLE.finditer(template):
        text += template[read : hole.start()]
        label, read = hole[1], hole.end()
        words = _random_filling(chance, label)
        if label in LABELS:
            shown = words.lower() if chance.random() < 0.15 else words
            if chance.random() > 1 / 12:
                spans.append({"start": len(text), "end": len(text) + len(shown), "text": shown, "labelName": label})
            words = shown
        text += words
    return text + template[read:], spans


def _distinct(make: Callable[[], Any], text_of: Callable[[Any], str]) -> Iterator[Any]:
    seen: set[str] = set()
    while True:
        made = make()
        if text_of(made) not in seen:
            seen.add(text_of(made))
            yield made


def posts(count: int) -> list[dict[str, Any]]:
    """Return short messages with spans, each text once."""
    chance = random.Random(1)
    found = []
    for number, (text, spans) in zip(
        range(count), _distinct(lambda: _post(chance), lambda made: made[0]), strict=False
    ):
        sentences = [{"start": 0, "end": len(text)}]
        more = {"annotations": spans, "categories": [], "sentences": sentences, "reviewed": True}
        found.append(_document(f"post-{number + 1:06}", text) | more)
    return found


def _question(chance: random.Random) -> tuple[str, str]:
    category = chance.choice(sorted(QUESTIONS))
    template = chance.choice(QUESTIONS[category])
    return HOLE.sub(lambda hole: _random_filling(chance, hole[1]), template), category


def questions(count: int) -> list[dict[str, Any]]:
    """Return questions with one category each, each text once."""
    chance = random.Random(2)
    made = _distinct(lambda: _question(chance), lambda one: one[0])
    return [
        _document(f"question-{number + 1:06}", text) | {"categories": [{"labelName": category}]}
        for number, (text, category) in zip(range(count), made, strict=False)
    ]


KINDS = {"posts": posts, "questions": questions}


def main() -> None:
    """Write a corpus as a JSON file of documents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    made = KINDS[arguments.kind](arguments.count)
    arguments.output.write_text(json.dumps(made, ensure_ascii=False, indent=1), encoding="utf-8")
    print(f"{len(made)} documents in {arguments.output}")


if __name__ == "__main__":
    main()
