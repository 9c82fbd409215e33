from __future__ import annotations

from itertools import pairwise

from annotarium_engines.learners.bio_tags import TokenSpan, decode, encode, split_sequence
from annotarium_engines.tokens import tokenize
from annotarium_schemas.documents import Annotation

TEXT = "The University of Paris library"
LABELS = frozenset({"org", "loc"})


def tags(*annotations: Annotation) -> str:
    return " ".join(encode(tokenize(TEXT), annotations, LABELS))


def test_the_longest_of_overlapping_annotations_wins() -> None:
    university = Annotation(start=4, end=23, label_name="org")
    paris = Annotation(start=18, end=23, label_name="loc")
    assert tags(paris, university) == tags(university, paris) == "O B-org I-org I-org O"


def test_the_first_of_equally_long_annotations_wins() -> None:
    assert tags(Annotation(start=4, end=14, label_name="org"), Annotation(start=4, end=14, label_name="loc")) == (
        "O B-loc O O O"
    )


def test_a_rejected_annotation_leaves_its_tokens_outside() -> None:
    assert tags(Annotation(start=18, end=23, label_name="loc", status="KO")) == "O O O O O"


def test_labels_that_are_not_learned_are_ignored() -> None:
    assert tags(Annotation(start=18, end=23, label_name="city"), Annotation(start=0, end=3)) == "O O O O O"


def test_a_partly_covered_token_belongs_to_the_annotation() -> None:
    assert tags(Annotation(start=6, end=20, label_name="org")) == "O B-org I-org I-org O"


def test_adjacent_spans_and_stray_inside_tags_are_decoded() -> None:
    assert decode(["B-a", "B-a", "I-a", "I-b", "O", "I-a"]) == [
        TokenSpan(0, 1, "a"),
        TokenSpan(1, 3, "a"),
        TokenSpan(3, 4, "b"),
        TokenSpan(5, 6, "a"),
    ]


def test_long_segments_are_split_after_sentences_and_outside_entities() -> None:
    tokens = tokenize("word " * 300 + ". " + "word " * 700)
    ranges = split_sequence(tokens, may_cut=lambda at: not 690 < at < 710)
    assert ranges[0] == (0, 301)
    assert ranges[1] == (301, 710)
    assert ranges[-1][1] == len(tokens)
    assert all(before[1] == after[0] for before, after in pairwise(ranges))
