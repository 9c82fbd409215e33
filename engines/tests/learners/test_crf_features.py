"""Features of words for the sequence learner: forms, shapes, affixes, casing in the corpus, neighbours."""

from __future__ import annotations

import pytest

from annotarium_engines.learners.crf_features import CasingCounts, features, learn_casing, shape
from annotarium_engines.tokens import tokenize


def rows(
    text: str, *, affixes: int = 0, window: int = 0, casing: CasingCounts | None = None, counted: bool = False
) -> list[set[str]]:
    found = features(tokenize(text), casing or CasingCounts(), affixes=affixes, window=window, counted=counted)
    assert all(len(row) == len(set(row)) for row in found)
    return [set(row) for row in found]


def starting(row: set[str], *beginnings: str) -> set[str]:
    return {one for one in row if one.startswith(beginnings)}


def test_word_shapes() -> None:
    assert shape("McDo-3é") == "XxXx-dx"
    assert shape("a" * 21) == "x" * 20


def test_features_of_the_word_form() -> None:
    (row,) = rows("Anno1984")
    assert row == {"b", "w=anno0000", "s=Xxd", "S=Xxxxdddd", "l=8", "c=MXxd", "k=new", "ks=newXxd", "first", "last"}
    (long,) = rows("Straßenbahnen")
    assert {"S=Xx", "l=10"} <= long
    assert "S=Xxxxxxxx" in rows("Abcdefgh")[0]
    assert "S=Xx" in rows("Abcdefghi")[0]


def test_affixes_stay_shorter_than_the_word() -> None:
    (row,) = rows("Berg", affixes=6)
    assert starting(row, "p", "f") - {"first"} == {"p1=b", "f1=g", "p2=be", "f2=rg", "p3=ber", "f3=erg"}
    (row,) = rows("Bergen", affixes=2)
    assert starting(row, "p", "f") - {"first"} == {"p1=b", "f1=n", "p2=be", "f2=en"}
    assert starting(rows("Berg")[0], "p", "f") == {"first"}


def test_neighbours_within_the_window() -> None:
    row = rows("Ab cd EF gh Ij", window=2)[2]
    assert starting(row, "-", "1", "2") == {
        "-2w=ab",
        "-2s=Xx",
        "-1w=cd",
        "-1s=x",
        "-1k=new",
        "1w=gh",
        "1s=x",
        "1k=new",
        "2w=ij",
        "2s=Xx",
        "-ss=x|X",
        "-ss+=x|X|x",
    }
    assert "ss+=X|x" in row
    near = rows("Ab cd EF gh Ij", window=1)[2]
    assert starting(near, "-2", "2") == set()
    assert starting(rows("Ab cd EF", window=0)[1], "-", "1", "ss") == set()


def test_first_and_last_tokens_have_one_neighbour() -> None:
    first, second, last = rows("Ab cd EF", window=1)
    assert "first" in first and "last" in last and not {"first", "last"} & second
    assert "ss+=Xx|x" in first and not starting(first, "-")
    assert "-ss=x|X" in last and not starting(last, "1", "ss+")
    assert starting(second, "-ss+") == {"-ss+=Xx|x|X"}


def test_a_token_adjacent_to_the_previous_one_is_marked() -> None:
    assert [("glued" in row) for row in rows("Ab, cd")] == [False, True, False]


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("ab cd", "L"),
        ("Ab cd ef gh ij", "M"),
        ("AB CD EF GH", "C"),
        ("AB CD EF", "M"),
        ("Ab Cd Ef gh ij", "M"),
        ("Ab Cd Ef Gh ij", "C"),
        ("1 2", "L"),
    ],
)
def test_case_of_a_segment(text: str, case: str) -> None:
    assert all(next(iter(starting(row, "c=")))[2] == case for row in rows(text))


def test_casing_is_counted_without_the_first_word() -> None:
    casing = learn_casing([tokenize("Rain fell in Rain Town"), tokenize("the rain fell, 3 Towns")])
    assert casing.lower == {"fell": 2, "in": 1, "the": 1, "rain": 1}
    assert casing.upper == {"rain": 1, "town": 1, "towns": 1}


@pytest.mark.parametrize(
    ("lower", "upper", "kind"),
    [
        (0, 0, "new"),
        (1, 0, "low1"),
        (2, 0, "low5"),
        (5, 0, "low5"),
        (6, 0, "low9"),
        (19, 1, "low9"),
        (9, 1, "mixed9"),
        (4, 6, "mixed9"),
        (3, 7, "up9"),
        (0, 1, "up1"),
    ],
)
def test_casing_classes_of_words_in_the_corpus(lower: int, upper: int, kind: str) -> None:
    casing = CasingCounts()
    casing.lower["rain"], casing.upper["rain"] = lower, upper
    assert casing.describe("Rain", counted=False) == kind


def test_own_occurrence_of_a_training_word_is_not_counted() -> None:
    casing = CasingCounts()
    casing.lower["rain"], casing.upper["rain"] = 1, 2
    assert casing.describe("rain", counted=True) == "up5"
    assert casing.describe("Rain", counted=True) == "mixed5"
    assert casing.describe("RAIN", counted=False) == "mixed5"
    casing.lower["rain"] = 0
    casing.upper["rain"] = 1
    assert casing.describe("Rain", counted=True) == "new"
    assert casing.describe("rain", counted=True) == "up1", "never below nothing"
    assert "k=up1" in rows("x rain", casing=casing)[1]


def test_only_the_most_frequent_words_are_stored_with_ties_in_alphabetical_order() -> None:
    texts = [tokenize("a bb cc bb X Bb Cc"), tokenize("dd aa")]
    casing = learn_casing(texts, words=2)
    assert casing.lower == {"bb": 2, "a": 1}
    assert casing.upper == {"bb": 1, "cc": 1}
    assert learn_casing(texts, words=5).lower == {"a": 1, "bb": 2, "cc": 1, "dd": 1, "aa": 1}
