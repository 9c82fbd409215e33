"""Which label a spelling in a file refers to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium.content.labels import LabelsByName, label_slug, normalize_spelling, unused_label_name
from annotarium.db.models import Label


@pytest.mark.parametrize(
    "spelled",
    [
        ("Birth date", "birth_date", "BIRTH-DATE", " birth  date ", "Birth/date", "birth_date_"),
        ("Straße", "strasse", "STRASSE"),
        ("L'Oréal", "l\u2019oréal", "L ORÉAL", "L'Ore\u0301al"),
        ("مؤسسة الأبحاث", "مؤسسة_الأبحاث"),
    ],
)
def test_spelling_variants_are_one_label(spelled: tuple[str, ...]) -> None:
    assert len({normalize_spelling(words) for words in spelled}) == 1


@pytest.mark.parametrize(
    "others",
    [
        ("C", "C++", "C#", "C*"),
        ("A", "A+", "A-"),
        ("👍", "👎", "🇫🇷", "🇩🇪", "label"),
        ("+", "-", "?", "!"),
        ("5", "5%", "<5", ">5"),
    ],
)
def test_signs_distinguish_labels(others: tuple[str, ...]) -> None:
    assert len({normalize_spelling(words) for words in others}) == len(others)


@given(st.lists(st.text(min_size=1, max_size=300), max_size=30))
def test_an_unused_label_name_is_short_and_unique(many: list[str]) -> None:
    taken: set[str] = set()
    for words in many:
        name = unused_label_name(words, taken)
        assert name not in taken
        assert 0 < len(name) <= 255
        assert name == label_slug(words) or label_slug(words) in taken
        taken.add(name)


def test_labels_are_found_by_name_or_by_spelling() -> None:
    labels = LabelsByName([Label(id=1, name="imp", label="IMP"), Label(id=2, name="c", label="C++")])
    known = {"imp": "imp", "IMP": "imp", "Imp": "imp", "c": "c", "C": None, "C++": "c", "": None}
    assert {name: getattr(labels.get(name), "name", None) for name in known} == known
