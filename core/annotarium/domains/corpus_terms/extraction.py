"""Finds noun-like sequences of words in texts. Needs no model: function words end a sequence.

A sequence has one to four words, neither begins nor ends with a function word, and contains no punctuation. A single
word counts only if it looks like a name: a capital letter inside a sentence, several capitals, or a digit. Languages
written without spaces have no sequences. Function words and punctuation delimit the sequences as in RAKE (Rose et al.,
2010).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

MAX_WORDS = 4
MAX_WORD_LENGTH = 40
MAX_KEY = 255
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_ELISION = re.compile(r"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|dell|nell|sull|all|un)['’](?=\w)", re.IGNORECASE)
_SPACES = re.compile(r"\s+")
_SENTENCE_END = frozenset(".!?:;\n\r")
_FUNCTION_WORDS = {
    "en": "a about above after again against all also although among an and any are as at be because been "
    "before being between both but by can could did do does done during each either et few for from "
    "further had has have having he her here his how however i if in into is it its itself just may might "
    "more most much must my neither no nor not of off on once only or other our out over own per same "
    "shall she should since so some such than that the their them then there these they this those "
    "through thus to too under until up upon very via was we were what when where whether which while who "
    "whom whose why will with within without would yet you your",
    "fr": "a afin ai ainsi alors après au aucun aussi autre autres aux avant avec avoir ce ceci cela celle "
    "celles celui ces cet cette chaque chez comme contre dans de depuis des dont du donc elle elles en "
    "encore entre est et été être eu eux fait il ils je la le les leur leurs lors lui mais même mêmes "
    "moins ne ni non nos notre nous on ont ou où par pas pendant peu peut plus pour puis que quel quelle "
    "quelles quels qui sa sans se selon sera ses si son sont sous sur ta tandis te tes toi ton tous tout "
    "toute toutes très tu un une vers vos votre vous était étaient",
    "de": "aber alle allem allen aller als also am an auch auf aus bei beim bis da damit dann das dass dem den "
    "denn der des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem "
    "einen einer eines er es euch für gegen hat hatte hatten haben hier ich ihm ihn ihr ihre ihrem ihren "
    "ihrer im in ist ja jede jedem jeden jeder jedes kann kein keine können man mehr mit muss nach nicht "
    "noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so sowie über um "
    "und uns unter vom von vor war waren was weil welche welcher wenn wer werden wie wir wird wo wurde "
    "wurden zu zum zur zwischen",
    "es": "a al algo ante antes aquel así aun aunque bajo bien cada como con contra cual cuando de del desde "
    "donde dos durante e el ella ellas ellos en entre era es esa ese eso esta este esto estos estas está "
    "fue ha había han hasta hay la las le les lo los más me mi mientras muy ni no nos o os otra otro para "
    "pero por porque que qué quien se sea según ser si sin sobre son su sus también tan tanto te tiene "
    "todo todos tras tu un una unas uno unos y ya",
    "it": "a ad ai al alla alle allo anche ancora avere aveva c che chi ci come con contro cui da dagli dai dal "
    "dalla dalle dallo degli dei del della delle dello di dopo dove e ed era essere fra gli ha hanno i il "
    "in io la le lei li lo loro lui ma mentre mi molto ne negli nei nel nella nelle nello no noi non "
    "nostro o ogni per perché più poi quale quando quella quelle quelli quello questa queste questi "
    "questo se sempre si sia sono su sua sue sugli sui sul sulla sulle suo suoi tra tu tutti tutto un una "
    "uno voi",
    "nl": "aan al alle als bij dan dat de der deze die dit door dus een en er geen haar had heeft het hij hoe "
    "hun ik in is je kan maar me meer men met mijn na naar niet nog nu of om omdat onder ook op over te "
    "tegen toch toen tot uit uw van veel voor was wat we wel werd wie wij worden wordt zal ze zich zij "
    "zijn zo zonder zou",
    "pt": "a ao aos após as até com como contra da das de depois do dos durante e é ela elas ele eles em entre "
    "era essa esse esta este eu foi foram há isso isto já la lhe mais mas me mesmo muito na nas não nem "
    "no nos nós o os ou para pela pelas pelo pelos por porque qual quando que quem se sem ser seu seus "
    "sob sobre são sua suas também te tem um uma umas uns você",
}
_LINKS = frozenset({"of", "de", "d", "des", "du", "di", "da", "do", "dos", "das", "del", "van", "von", "der"})
"""Function words that may stand inside a sequence."""
_MIN_UNKNOWN = 4
"""Minimum length of the first and last word in a language without a list of function words."""


class Sequence(NamedTuple):
    """A sequence of words in a text; `key` is equal for the same words in another spelling of case and spaces."""

    start: int
    end: int
    key: str


class _Word(NamedTuple):
    start: int
    end: int
    text: str


def form_key(text: str) -> str:
    """The key of a form: composed characters, lower case, single spaces; empty if it is too long."""
    key = _SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip().casefold()
    return key if len(key) <= MAX_KEY else ""


def similarity_key(text: str) -> str:
    """A key that is equal for forms that differ in case, accents, hyphens, the order of words, or a final `s`."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    words = re.findall(r"\w+", plain.casefold())
    return " ".join(sorted(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words))


def find_sequences(text: str, language: str) -> Iterator[Sequence]:
    """All sequences of a text, also those inside longer ones."""
    functions = _functions_of(language)
    for run in _runs(text):
        for first in range(len(run)):
            if not _may_end(run[first], functions):
                continue
            for last in range(first, min(first + MAX_WORDS, len(run))):
                if last > first and not _may_continue(run[last], functions):
                    break
                if _may_end(run[last], functions) and (last > first or _is_name(text, run[first])):
                    start, end = run[first].start, run[last].end
                    key = form_key(text[start:end])
                    if key:
                        yield Sequence(start, end, key)


def _functions_of(language: str) -> frozenset[str] | None:
    words = _FUNCTION_WORDS.get(language.partition("-")[0])
    return None if words is None else frozenset(words.split())


def _runs(text: str) -> Iterator[list[_Word]]:
    """Words that follow each other with nothing but spaces between them."""
    run: list[_Word] = []
    for found in _WORD.finditer(text):
        elided = _ELISION.match(text, found.start(), found.end())
        start = elided.end() if elided is not None else found.start()
        if run and (elided is not None or not _is_gap(text[run[-1].end : found.start()])):
            yield run
            run = []
        run.append(_Word(start, found.end(), text[start : found.end()]))
    if run:
        yield run


def _is_gap(between: str) -> bool:
    return between.isspace() and between.count("\n") < 2


def _may_end(word: _Word, functions: frozenset[str] | None) -> bool:
    if not 2 <= len(word.text) <= MAX_WORD_LENGTH or not any(char.isalpha() for char in word.text):
        return False
    if functions is None:
        return len(word.text) >= _MIN_UNKNOWN or word.text.isupper()
    return word.text.casefold() not in functions


def _may_continue(word: _Word, functions: frozenset[str] | None) -> bool:
    return word.text.casefold() in _LINKS or _may_end(word, functions) or word.text.isdecimal()


def _is_name(text: str, word: _Word) -> bool:
    """Whether a single word looks like a name or a symbol."""
    if any(char.isdigit() for char in word.text) or sum(char.isupper() for char in word.text) > 1:
        return True
    before = text[: word.start][-3:].rstrip(" \t\"'“”«»(")
    return word.text[0].isupper() and bool(before) and before[-1] not in _SENTENCE_END
