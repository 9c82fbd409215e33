"""BERTopic fulfils the same contract; where it is not installed, the component is not listed."""

from __future__ import annotations

import pytest

from annotarium_plugins.testing import TopicLearnerContract

pytest.importorskip("bertopic", reason="bertopic is not installed (pip install 'annotarium[topics]')")
pytestmark = [
    pytest.mark.timeout(900),  # numba compiles at first use
    pytest.mark.filterwarnings("ignore"),  # of third-party libraries
]

from annotarium_engines.topics.bertopic_topics import BertopicTopics  # noqa: E402


class TestBertopicTopics(TopicLearnerContract):
    component = BertopicTopics
