"""The sample corpora: identical on all machines, with exact offsets, and learnable."""

from __future__ import annotations

from collections import Counter

from support import real_corpora

samples = real_corpora.load_script("samples")


def test_posts_are_exact_and_distinct() -> None:
    found = samples.posts(700)
    assert found[:50] == samples.posts(50)
    assert len({one["text"] for one in found}) == len({one["identifier"] for one in found}) == 700
    spans = [(one["text"], span) for one in found for span in one["annotations"]]
    assert all(text[span["start"] : span["end"]] == span["text"] for text, span in spans)
    assert set(Counter(span["labelName"] for _, span in spans)) == set(samples.LABELS)
    assert any(len(one["text"]) != len(one["text"].encode("utf-16-le")) // 2 for one in found), (
        "characters of two units"
    )


def test_questions_have_one_of_six_categories() -> None:
    found = samples.questions(600)
    assert len({one["text"] for one in found}) == 600
    counted = Counter(one["categories"][0]["labelName"] for one in found)
    assert len(counted) == 6 and min(counted.values()) >= 50
