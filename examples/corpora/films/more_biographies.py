#!/usr/bin/env python3
"""Writes the larger part of the film biographies: invented people, from sentences that vary in order and wording.

    python examples/corpora/films/more_biographies.py

`documents.json` begins with 24 biographies written by hand, which stay as they are; the others are replaced. The same
code gives the same documents on every machine. Every other document is annotated. Dates, names, places and prizes also
occur where no label is due: first nights, colleagues, locations, prizes of others.
"""

# ruff: noqa: E501  # a sentence stays on its line

from __future__ import annotations

import json
import random
import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("documents.json")
WRITTEN_BY_HAND = 24
ENGLISH, FRENCH = 76, 20
SEED = 20_261_123

_MARKED = re.compile(r"\[(\w+):([^\]]*)\]")


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split("|")]


WOMEN = _words(
    "Alma | Clara | Edith | Greta | Irene | Karin | Marta | Olga | Rosa | Thea | Wanda | Zoe | Amara | Celeste | Elif | "
    "Gwen | Hanne | Judith | Lucia | Nadia | Pilar | Sunniva | Ursula"
)
MEN = _words(
    "Bruno | Dario | Felix | Hugo | Jonas | Leon | Nils | Paul | Simon | Viktor | Yannis | Benedict | Dmitri | Farid | "
    "Idris | Kofi | Mateus | Oskar | Rafael | Tariq | Anton | Cyril | Emile"
)
LAST_NAMES = _words(
    "Aldermoor | Barrowclough | Castellan | Dragomir | Eastlake | Fennimore | Gallowglass | Hartwig | Ilvento | Jaspersen | "
    "Kirkwall | Lachmann | Montclare | Norrgard | Oyelaran | Pellegrin | Quillfeather | Rosendahl | Sandoval | Tannenbaum | "
    "Underhill | Vasquelle | Winterbourne | Yarrow | Zielinska | Ashdown | Bellweather | Cornelisse | Delacourt | Emberly"
)
# Country, nationality, regions, towns.
COUNTRIES = [
    ("Canada", "Canadian", "Manitoba | Nova Scotia | Alberta", "Port Ellery | Saint Brice | Coldwater"),
    ("Australia", "Australian", "Queensland | Tasmania | Victoria", "Mount Harrow | Kelso Bay | Dunmarra"),
    ("India", "Indian", "Kerala | Gujarat | Punjab", "Velangad | Sundarpur | Chittanur"),
    ("Germany", "German", "Bavaria | Saxony | Hesse", "Altheim | Rosental | Grünau"),
    ("Brazil", "Brazilian", "Bahia | Minas Gerais | Paraná", "Vila Serena | Santa Isaura | Pedra Alta"),
    ("the United States", "American", "Ohio | Texas | Montana | Georgia", "Larkspur | New Dover | Mill Creek"),
    ("Mexico", "Mexican", "Jalisco | Oaxaca | Sonora", "San Telmo | Las Palomas | El Refugio"),
    ("Ireland", "Irish", "Connacht | Munster | Leinster", "Ballyfen | Kilronan | Dunmallow"),
    ("Italy", "Italian", "Tuscany | Liguria | Sicily", "Montefiore | San Bruno | Porto Chiaro"),
    ("Spain", "Spanish", "Andalusia | Galicia | Aragon", "Villarroya | Puerto Lindo | Almaraz"),
    ("Norway", "Norwegian", "Nordland | Vestland | Agder", "Fjellvik | Sandnes | Husøya"),
    ("Nigeria", "Nigerian", "Lagos State | Oyo | Enugu State", "Iseyin | Agbara | Nkwelle"),
    ("Poland", "Polish", "Silesia | Masovia | Pomerania", "Kalinowo | Brzeziny | Stary Dwór"),
    ("Japan", "Japanese", "Hokkaido | Kyushu | Shikoku", "Minamizaki | Tonosaka | Shiroura"),
]
MONTHS = _words(
    "January | February | March | April | May | June | July | August | September | October | November | December"
)
OCCUPATIONS = _words(
    "actor | actress | director | editor | cinematographer | composer | screenwriter | producer | costume designer | "
    "set designer | animator | sound engineer | stunt performer | puppeteer | documentary maker | choreographer"
)
EARLY_OCCUPATIONS = _words(
    "baker | clockmaker | ferry pilot | librarian | nurse | bricklayer | postman | schoolteacher | lighthouse keeper | "
    "seamstress | tram driver | cartographer | beekeeper | typesetter | carpenter | translator | telephone operator"
)
PARENT_WORK = _words(
    "a miller | a blacksmith | a judge | a pharmacist | a fisherman | a glazier | an innkeeper | a sailor"
)
PRIZES = _words(
    "Silver Anchor | Golden Reed | Northern Lens | Amber Heron | Crystal Lantern | Bronze Compass | Meridian Medal | "
    "Blue Falcon | Ivory Mask | Copper Owl | Windward Award | Rhine Prize | Harbour Prize | White Poppy | Lyra Award | "
    "Saffron Leaf | Grand Prize of Osterby | Cedar Award | Juniper Medal | Stone Swan"
)
CATEGORIES = _words(
    "best first film | best music | best screenplay | best supporting role | best sound | best photography | "
    "best documentary | best costumes | a lifetime of work"
)
TITLES_LEFT = _words(
    "The Salt | A Paper | The Last | Winter | The Glass | A Borrowed | The Blue | Nine | The Hollow | An Honest | "
    "The Quiet | Seven | The Wooden | A Narrow | The Distant"
)
TITLES_RIGHT = _words(
    "Orchard | Ferry | Lantern | Harvest | Staircase | Umbrella | Garden | Timetable | Piano | Horses | Bridge | Window | "
    "Kitchen | Carnival | River | Letters | Tailor"
)

# Each list has the variants of one part. [label:words] is annotated; {fields} come from the person.
BIRTH = [
    "{name} was born on [date_of_birth:{date}] in {town}, [state_of_birth:{state}], [country_of_birth:{country}].",
    "Born in {town} in the [state_of_birth:{state}] of old coal mines, [country_of_birth:{country}], on [date_of_birth:{date}], {name} grew up above a cinema.",
    "{name}, [occupation:{work}], was born in {town}, [country_of_birth:{country}], on [date_of_birth:{date}].",
    "On [date_of_birth:{date}] {name} came into the world in {town}, a market town of [state_of_birth:{state}] in [country_of_birth:{country}].",
    "{name} ([date_of_birth:{date}], {town}, [country_of_birth:{country}]) is remembered for work that looked easy and was not.",
    "The [occupation:{work}] {name} was born near {town} in [state_of_birth:{state}], [country_of_birth:{country}], on [date_of_birth:{date}], the third of four children.",
    "It was in {town}, [country_of_birth:{country}], that {name} was born on [date_of_birth:{date}], during a thunderstorm.",
    "{name} first saw the light on [date_of_birth:{date}]; the family lived in {town}, in [state_of_birth:{state}], [country_of_birth:{country}].",
    "A native of {town}, [state_of_birth:{state}], {name} was born on [date_of_birth:{date}], and left [country_of_birth:{country}] only to work.",
    "[country_of_birth:{Country}] was home to {name}, born on [date_of_birth:{date}] in the small town of {town}.",
]
FAMILY = [
    "{His} father, [relative:{father}], was {trade} who had never set foot in a theatre.",
    "{His} mother [relative:{mother}] sang in three choirs, and {his} father [relative:{father}] repaired the organ.",
    "The child of [relative:{mother}] and [relative:{father}], {he} shared a room with two cousins and a loom.",
    "{His} aunt, the painter [relative:{aunt}], took {him} to rehearsals and told {him} to keep quiet.",
    "{He} learned patience from {his} grandfather, [relative:{father}], {trade} with one good eye.",
    "With {his} sister [relative:{sister}] {he} put on plays in the barn, for an entrance fee of one egg.",
    "{His} brother [relative:{brother}], later a surgeon, was {his} first and most severe critic.",
    "Raised by {his} grandmother [relative:{mother}] after a flood, {he} began to draw what {he} could not describe.",
    "{His} parents, [relative:{father}] and [relative:{mother}], ran a shop that sold rope and lamp oil.",
]
YOUTH = [
    "{He} trained as a [occupation:{early}] and practised the trade for six years.",
    "Before {he} found the cinema, {he} earned a living as a [occupation:{early}].",
    "An apprenticeship with a [occupation:{early}] ended when the workshop burnt down.",
    "At nineteen {he} was hired as a [occupation:{early}], which left the evenings free.",
    "{He} had been a [occupation:{early}] for a decade when a camera crew asked {him} for directions.",
    "School bored {him}; {he} preferred the company of a [occupation:{early}], whose assistant {he} became.",
    "{He} never regretted the years as a [occupation:{early}]: they taught {him} to measure twice.",
]
CAREER = [
    "{He} became an assistant, then a [occupation:{work}], and was soon in demand.",
    "As [occupation:{work}] {he} took part in more than forty pictures.",
    "From then on {last} worked as a [occupation:{work}], first for radio, later for film.",
    "{He} turned to the profession of [occupation:{work}] by accident and stayed for thirty years.",
    "The studio took {him} on as [occupation:{work}] for one season that never ended.",
    "Colleagues describe a [occupation:{work}] who arrived first and spoke last.",
]
AWARD = [
    "{title} won the [award:{prize}] in {year}.",
    "For {title} {he} received the [award:{prize} for {category}].",
    "In {year} {last} was given the [award:{prize}], which now stands on a kitchen shelf.",
    "The jury in {elsewhere} awarded {him} the [award:{prize} for {category}].",
    "{His} work on {title} was honoured with the [award:{prize}].",
    "{last} accepted the [award:{prize} for {category}] with a speech of four words.",
    "{He} is one of the few to have won the [award:{prize}] twice, for {title} and for {title2}.",
    "With {title} came the [award:{prize}], and with it an invitation to {elsewhere}.",
]
NOMINATION = [
    "{title2} was nominated for the [nomination:{prize2}].",
    "A nomination for the [nomination:{prize2}] followed in {year2}.",
    "{He} was also shortlisted for the [nomination:{prize2} for {category2}], which went to a friend.",
    "{last} was a nominee for the [nomination:{prize2}] in {year2}, but stayed at home that night.",
    "{title2} brought {him} a nomination for the [nomination:{prize2} for {category2}].",
    "{He} had been among those nominated for the [nomination:{prize2}] three years before.",
    "The [nomination:{prize2}] listed {title2} among its nominees.",
]
NATIONALITY = [
    "The [nationality:{people}] artist disliked interviews.",
    "Critics abroad knew the [nationality:{people}] film maker as a master of long silences.",
    "{last} was the first [nationality:{people}] guest of honour at the festival of {elsewhere}.",
    "Although offered another passport, {he} remained [nationality:{people}].",
    "A [nationality:{people}] citizen all {his} life, {last} voted by post from every location.",
    "Few [nationality:{people}] people of the screen have been imitated so often.",
    "The newspapers called {last} the most stubborn [nationality:{people}] of the decade.",
]
OTHER = [
    "The first night of {title} took place on {day} in {elsewhere}, with snow on the seats.",
    "{Colleague} once said that a scene with {last} was like a walk without a map.",
    "{title} was shot in {elsewhere} within nineteen days, most of them wet.",
    "A fire destroyed the negatives of {title2}; two reels were found in a garage on {day}.",
    "{He} kept the tickets of every train to {elsewhere} in a biscuit tin.",
    "On {day} a tram in {elsewhere} was named after {last}, and {he} rode it to the last stop.",
    "{Colleague}, who won the {prize3} that year, thanked {last} from the stage.",
    "The producer {Colleague} wanted a happier ending; the cast voted against it.",
    "{last} wrote every letter by hand and answered none of those that were typed.",
    "{He} held that a good picture has one idea, and that it is best not to say it.",
]
LAST = [
    "{His} daughter [relative:{sister}] looks after the drawings and the cameras.",
    "{His} son [relative:{brother}] restored the early films and shows them in schools.",
    "{His} archive is open on the first Sunday of each month.",
    "{He} lives with [relative:{partner}], to whom {he} has been married since {year}, in a house without clocks.",
    "{He} spent the last years in {elsewhere}, teaching those who could not pay.",
    "{His} niece [relative:{niece}] completed the last picture from the notes.",
]

FRENCH_COUNTRIES = [
    (
        "en France",
        "France",
        "français | française",
        "Bretagne | Auvergne | Provence",
        "Kervoal | Saint-Aubert | Montrieux",
    ),
    ("en Belgique", "Belgique", "belge | belge", "Wallonie | Flandre", "Malbrouck | Ostreville | Fontenoy"),
    ("en Suisse", "Suisse", "suisse | suisse", "Valais | Jura | Vaud", "Vercorin | Les Ormes | Bellerive"),
    ("au Sénégal", "Sénégal", "sénégalais | sénégalaise", "Casamance | Fouta", "Ndiarème | Sédhiou | Kafountine"),
    ("au Canada", "Canada", "canadien | canadienne", "Gaspésie | Acadie", "Anse-aux-Pins | Saint-Elme | Portneuf"),
]
FRENCH_MONTHS = _words(
    "janvier | février | mars | avril | mai | juin | juillet | août | septembre | octobre | novembre | décembre"
)
FRENCH_OCCUPATIONS = [
    ("cinéaste", "cinéaste"),
    ("monteur", "monteuse"),
    ("décorateur", "décoratrice"),
    ("scénariste", "scénariste"),
    ("costumier", "costumière"),
    ("compositeur", "compositrice"),
    ("acteur", "actrice"),
]
FRENCH_EARLY = [
    ("boulanger", "boulangère"),
    ("instituteur", "institutrice"),
    ("relieur", "relieuse"),
    ("libraire", "libraire"),
    ("horloger", "horlogère"),
    ("jardinier", "jardinière"),
]
FRENCH_PRIZES = _words(
    "Compas d’or | Edelweiss d’argent | Grand Prix des ateliers | prix des Quatre Vallées | Lanterne bleue | "
    "Cygne de pierre | prix du Phare | Feuille de cèdre | Masque d’ivoire"
)
FRENCH_TITLES = _words(
    "La Ville aux escaliers | Un hiver de papier | Le Versant nord | Les Chevaux de craie | Un été sans cloches | "
    "La Dernière Gare | Le Jardin fermé | Sept lettres | La Cuisine du port | Le Pont de verre"
)
FRENCH_BIRTH = [
    "{name} est {born} le [date_of_birth:{date}] à {town}, en [state_of_birth:{state}], {in} [country_of_birth:{country}].",
    "{born_} à {town}, {in} [country_of_birth:{country}], le [date_of_birth:{date}], {name} a grandi au-dessus d’un cinéma.",
    "{name}, [occupation:{work}], a vu le jour le [date_of_birth:{date}] à {town}, {in} [country_of_birth:{country}].",
    "C’est à {town}, {in} [country_of_birth:{country}], que {name} est {born} le [date_of_birth:{date}], un jour d’orage.",
]
FRENCH_MIDDLE = [
    "Son père, [relative:{father}], vendait des cordages et n’allait jamais au théâtre.",
    "Sa mère, [relative:{mother}], chantait dans trois chorales et raccommodait les rideaux de la salle des fêtes.",
    "Avec sa sœur [relative:{sister}], {he} montait des pièces dans la grange, pour un œuf l’entrée.",
    "{He} fut d’abord [occupation:{early}], un métier qui laissait les soirées libres.",
    "{He} devint ensuite [occupation:{work}] et prit part à plus de trente films.",
    "{title} reçut le [award:{prize}] en {year}.",
    "Pour {title}, le jury de {elsewhere} lui remit le [award:{prize}].",
    "{title2} fut aussi nommé au [nomination:{prize2}], qui revint à un ami.",
    "Une nomination au [nomination:{prize2}] suivit en {year2}.",
    "L’artiste [nationality:{people}] n’aimait pas les entretiens.",
    "La presse étrangère admirait, chez l’artiste [nationality:{people}], l’art des longs silences.",
    "La première de {title} eut lieu le {day} à {elsewhere}, sous la neige.",
    "{Colleague} disait qu’une scène avec {last} était une promenade sans carte.",
    "{title2} fut tourné à {elsewhere} en dix-neuf jours, presque tous pluvieux.",
    "Un incendie détruisit les négatifs ; deux bobines furent retrouvées dans un garage le {day}.",
]
FRENCH_LAST = [
    "Sa nièce, [relative:{niece}], ouvre l’atelier aux visiteurs le premier dimanche du mois.",
    "Son fils, [relative:{brother}], a restauré les premiers films et les montre dans les écoles.",
]
ELSEWHERE = _words(
    "Halden | Osterby | Port Meral | Belmouth | Lisbon | Trieste | Bergen | Marseille | Montevideo | Cork"
)


class _Chooser:
    """Draws without repeating itself: every variant of a list is used before one comes again."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # no secret: the same corpus everywhere
        self._left: dict[int, list[Any]] = {}

    def one(self, options: list[Any]) -> Any:
        left = self._left.setdefault(id(options), [])
        if not left:
            left += options
            self.random.shuffle(left)
        return left.pop()

    def year(self, first: int, last: int) -> int:
        return self.random.randint(first, last)


def _document(identifier: str, name: str, marked: str, metadata: dict[str, Any], number: int) -> dict[str, Any]:
    """A document from a text with marks; its annotations have exact offsets in code points."""
    text, annotations, at = "", [], 0
    for found in _MARKED.finditer(marked):
        text += marked[at : found.start()]
        words = found[2]
        annotations.append({"start": len(text), "end": len(text) + len(words), "text": words, "labelName": found[1]})
        text += words
        at = found.end()
    text += marked[at:]
    created = date(2026, 8, 3) + timedelta(days=number * 3 // 4)
    return {
        "identifier": identifier,
        "title": name,
        "text": text,
        "createdDate": f"{created.isoformat()}T09:00:00Z",
        "metadata": metadata | {"source": "Annotarium film tour"},
        "annotations": annotations,
        "categories": [],
    }


def _capitals(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields, and those at the beginning of a sentence with a capital."""
    return fields | {
        word.capitalize(): fields[word][:1].upper() + fields[word][1:] for word in ("he", "his") if word in fields
    }


_RELATIVES = {"father": MEN, "mother": WOMEN, "sister": WOMEN, "brother": MEN, "aunt": WOMEN, "niece": WOMEN}


def _people(last: str, choose: _Chooser) -> dict[str, str]:
    """Names of relatives, who have the same last name, and of others, who have not."""
    others = [name for name in LAST_NAMES if name != last]
    relatives = {who: f"{choose.one(first_names)} {last}" for who, first_names in _RELATIVES.items()}
    partner, colleague = choose.random.sample(others, 2)
    return relatives | {
        "partner": f"{choose.one(WOMEN)} {partner}",
        "Colleague": f"{choose.one(MEN)} {colleague}",
    }


def _name(number: int, choose: _Chooser) -> tuple[str, str, bool]:
    """First name, last name, and whether it is a woman; every other person is one."""
    female = number % 4 in (1, 2)
    return choose.one(WOMEN if female else MEN), choose.one(LAST_NAMES), female


def _english(number: int, choose: _Chooser) -> dict[str, Any]:
    first, last, female = _name(number, choose)
    country, people, states, towns = choose.one(COUNTRIES)
    born = choose.year(1894, 1978)
    he, his, him = ("she", "her", "her") if female else ("he", "his", "him")
    work, title = choose.one(OCCUPATIONS), f"{choose.one(TITLES_LEFT)} {choose.one(TITLES_RIGHT)}"
    if work in ("actor", "actress"):
        work = "actress" if female else "actor"
    fields = {
        **{"name": f"{first} {last}", "last": last, "he": he, "his": his, "him": him, "work": work},
        **{"date": f"{choose.year(1, 28)} {choose.one(MONTHS)} {born}", "country": country, "people": people},
        **{
            "Country": country[:1].upper() + country[1:],
            "state": choose.random.choice(_words(states)),
            "town": choose.random.choice(_words(towns)),
        },
        **{"trade": choose.one(PARENT_WORK), "early": choose.one(EARLY_OCCUPATIONS)},
        **_people(last, choose),
        **{"title": title, "title2": f"{choose.one(TITLES_LEFT)} {choose.one(TITLES_RIGHT)}"},
        **{"prize": choose.one(PRIZES), "prize2": choose.one(PRIZES), "prize3": choose.one(PRIZES)},
        **{"category": choose.one(CATEGORIES), "category2": choose.one(CATEGORIES)},
        **{"year": choose.year(born + 25, born + 45), "year2": choose.year(born + 30, born + 50)},
        "day": f"{choose.year(1, 28)} {choose.one(MONTHS)} {choose.year(born + 25, born + 45)}",
        "elsewhere": choose.one(ELSEWHERE),
    }
    middle = [choose.one(part) for part in (CAREER, AWARD, NOMINATION, NATIONALITY, OTHER, OTHER, OTHER)]
    choose.random.shuffle(middle)
    sentences = [choose.one(BIRTH), choose.one(FAMILY), choose.one(YOUTH), *middle, choose.one(LAST)]
    text = " ".join(sentences).format(**_capitals(fields))
    text = re.sub(r"\ba (\[occupation:)(?=[aeiou])", r"an \1", text)
    text = re.sub(r"\bA (\[nationality:)(?=[AEIOU])", r"An \1", text)
    metadata = {
        "language": "en",
        "main_occupation": work,
        "year_of_birth": born,
        "country": country.removeprefix("the "),
    }
    return _document(f"film-{number + 1:03}", fields["name"], text, metadata, number)


def _french(number: int, choose: _Chooser) -> dict[str, Any]:
    first, last, female = _name(number, choose)
    place, country, people, states, towns = choose.one(FRENCH_COUNTRIES)
    born = choose.year(1896, 1978)
    work, early = choose.one(FRENCH_OCCUPATIONS)[female], choose.one(FRENCH_EARLY)[female]
    year = choose.year(born + 25, born + 45)
    fields = {
        **{"name": f"{first} {last}", "last": last, "he": ("il", "elle")[female], "He": ("Il", "Elle")[female]},
        **{"born": ("né", "née")[female], "born_": ("Né", "Née")[female], "work": work, "early": early},
        **{
            "date": f"{choose.year(2, 28)} {choose.one(FRENCH_MONTHS)} {born}",
            "in": place.split()[0],
            "country": country,
        },
        **{
            "people": _words(people)[female],
            "state": choose.random.choice(_words(states)),
            "town": choose.random.choice(_words(towns)),
        },
        **_people(last, choose),
        **{"title": choose.one(FRENCH_TITLES), "title2": choose.one(FRENCH_TITLES)},
        **{"prize": choose.one(FRENCH_PRIZES), "prize2": choose.one(FRENCH_PRIZES), "year": year, "year2": year + 3},
        **{"day": f"{choose.year(2, 28)} {choose.one(FRENCH_MONTHS)} {year}", "elsewhere": choose.one(ELSEWHERE)},
    }
    middle = [*FRENCH_MIDDLE]
    choose.random.shuffle(middle)
    text = " ".join([choose.one(FRENCH_BIRTH), *middle[:11], choose.one(FRENCH_LAST)]).format(**fields)
    # « le » et « au » précèdent un prix au masculin.
    text = re.sub(r"\b(le|au) (\[(?:award|nomination):)(Lanterne|Feuille)", _feminine, text)
    text = re.sub(
        r"\b(le|au) (\[(?:award|nomination):)(Edelweiss)",
        lambda one: f"{ {'le': 'l’', 'au': 'à l’'}[one[1]] }{one[2]}{one[3]}",
        text,
    )
    metadata = {"language": "fr", "main_occupation": work, "year_of_birth": born, "country": country}
    return _document(f"film-fr-{number + 1:03}", fields["name"], text, metadata, ENGLISH + number)


def _feminine(found: re.Match[str]) -> str:
    return f"{ {'le': 'la', 'au': 'à la'}[found[1]] } {found[2]}{found[3]}"


def more_biographies() -> list[dict[str, Any]]:
    """The generated documents; the second half is not annotated, and neither annotated nor reviewed."""
    choose = _Chooser(SEED)
    made = [_english(number, choose) for number in range(ENGLISH)]
    made += [_french(number, choose) for number in range(FRENCH)]
    for number, one in enumerate(made):
        if number % 2:
            del one["annotations"]
    return made


def main() -> None:
    """Replace all but the first documents of the corpus."""
    by_hand = json.loads(FILE.read_text(encoding="utf-8"))[:WRITTEN_BY_HAND]
    text = json.dumps([*by_hand, *more_biographies()], ensure_ascii=False, indent=1)
    FILE.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
