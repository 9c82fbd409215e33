"""The contract tests of Annotarium on both components, and tests of their own behaviour."""

import pytest

pytest.importorskip("annotarium_acme", reason="install the package first: pip install examples/plugin-package")

from annotarium_acme.bullet_segmenter import BulletSegmenter, BulletSegmenterParameters
from annotarium_acme.keyword_learner import KeywordLearner

from annotarium_plugins.testing import LearnerContract, SegmenterContract


class TestBulletSegmenter(SegmenterContract):
    component = BulletSegmenter
    texts = ("- one\n- two\n  still two\n\n* three",)

    def test_a_point_keeps_its_lines(self):
        text = self.texts[0]
        ranges = BulletSegmenter(BulletSegmenterParameters()).segment(text, "en")
        assert [text[start:end] for start, end in ranges] == ["- one", "- two\n  still two", "* three"]


class TestKeywordLearner(LearnerContract):
    component = KeywordLearner
