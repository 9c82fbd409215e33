"""BERTopic keeps the same promises; where it is not installed nothing of it is shown."""

from __future__ import annotations

import pytest

from annotarium_plugins.testing import TopicLearnerContract

pytest.importorskip("bertopic", reason="bertopic is not installed (pip install 'annotarium[topics]')")
pytestmark = [
    pytest.mark.timeout(900),  # numba compiles at first use
    pytest.mark.filterwarnings("ignore"),  # of libraries that are not ours
]

from annotarium_engines.topics.bertopic_topics import BertopicTopics  # noqa: E402


class TestBertopicTopics(TopicLearnerContract):
    component = BertopicTopics
