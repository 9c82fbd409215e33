"""Texts and documents that the contracts use. Written for this project; small, with content that often breaks code."""

from __future__ import annotations

from annotarium_schemas.documents import Annotation, Category, Document, Relation, Term

LANGUAGES = ("en", "fr", "de", "nl", "es", "it", "pt", "ru", "ar", "zh", "ja", "hi", "ur", "fa", "xx")
"""Languages of documents (C-056)."""

HOSTILE_TEXTS: tuple[str, ...] = (
    "",
    " ",
    "\n\n\t \u00a0\u3000",
    ".",
    "...!?!?",
    "a",
    "One sentence only",
    "Dr. No paid $3.50 (approx.) to J. R. R. Smith. He left! Why? \"Because.\" Then 'nothing'.",
    "Line one\nLine two\r\nLine three\r\n\r\nNew paragraph.\u2028Separated\u2029again",
    "Café naïve — «\u202fBonjour\u202f!\u202f» … e\u0301 combining, \u200bzero\u200bwidth\ufeff, soft\u00adhyphen.",
    "Emoji 👩‍👩‍👧‍👦 and 🇫🇷 and 👍🏽. Astral 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 letters. 𐍈!",
    "他说：「你好。」然后走了。今天天气很好！是吗？",
    "彼は「はい。」と言った。それから帰った。",
    "वह घर गया। मैं आया। क्या हुआ?",
    "ذهب إلى البيت. هل جاء؟ نعم، جاء.",
    "وہ گھر گیا۔ میں آیا۔",
    "Он живёт на ул. Ленина, д. 5. Г-н Иванов пришёл.",
    "((((((((((]]]]]]]]}}}}}}}}<<<<>>>>\"\"\"\"''''",
    "x" * 5000,
    "word " * 2000,
    "\u202eright to left override\u202c and \u0001 control \u001f",
)

_PEOPLE = ("Ada Lovelace", "Marie Curie", "Agnès Varda", "Kurosawa Akira", "Grace Hopper", "Émilie du Châtelet")
_PLACES = ("Paris", "London", "Tōkyō", "New York", "São Paulo", "Zürich")
_FRAMES = ("{person} lived in {place} for years.", "In {place}, {person} met a friend.", "{person} never saw {place}!")
_TOPICS = {
    "sport": (
        "the team won the match",
        "a late goal in the final",
        "the player scored twice",
        "runners and their coach",
    ),
    "money": (
        "the bank raised its rates",
        "shares fell on the market",
        "profit and revenue grew",
        "a loan from the bank",
    ),
    "food": (
        "a recipe with fresh tomatoes",
        "bake the bread for an hour",
        "the cook tasted the soup",
        "salt, oil and basil",
    ),
}


def sequence_documents() -> list[Document]:
    """Return 36 segments with the labels person and place, and two without annotations."""
    documents = []
    for number, (person, place) in enumerate((person, place) for person in _PEOPLE for place in _PLACES):
        text = _FRAMES[number % len(_FRAMES)].format(person=person, place=place)
        marks = [_annotation(text, person, "person"), _annotation(text, place, "place")]
        documents.append(Document(identifier=f"s{number}", text=text, annotations=marks))
    documents += [
        Document(identifier=f"n{number}", text=text)
        for number, text in enumerate(("Nothing here.", "It rained all day."))
    ]
    return documents


def linked_document() -> Document:
    """Return a document with relations between annotations, one of which is discontinuous."""
    text = "Breast \U0001f469\u200d\U0001f52c and ovarian cancer, says Ada."
    first, second, end = text.index("ovarian"), text.index("cancer"), text.index(",")
    whole = Annotation(start=0, end=end, text=text[:end], label_name="disease", fragments=[(0, 6), (second, end)])
    other = Annotation(start=first, end=end, text=text[first:end], label_name="disease", status="KO")
    spans = [whole, other, _annotation(text, "Ada", "person")]
    for number, span in enumerate(spans, start=1):
        span.identifier = str(number)
    relations = [
        Relation(name="speaks of", source="3", target="1", properties={"sure": True}),
        Relation(name="is like", source="1", target="2"),
    ]
    return Document(identifier="linked", text=text, annotations=spans, relations=relations)


def classification_documents() -> list[Document]:
    """Return 36 segments with one category each: sport, money, food."""
    documents = []
    for label, phrases in _TOPICS.items():
        for number in range(12):
            text = f"Today {phrases[number % 4]}, and {phrases[(number + 1 + number // 4) % 4]}."
            category = Category(label_name=label, status="OK")
            documents.append(Document(identifier=f"{label}{number}", text=text, categories=[category]))
    return documents


def terms() -> list[Term]:
    """Return terms of a lexicon, with overlapping and repeated forms."""
    forms = ("Paris", "New York", "York", "Zürich", "C++", "Ada Lovelace")
    return [Term(identifier=f"t{number}", lexicon="places", preferred_form=form) for number, form in enumerate(forms)]


def _annotation(text: str, part: str, label: str) -> Annotation:
    start = text.index(part)
    return Annotation(start=start, end=start + len(part), text=part, label_name=label, label=label, status="OK")
