"""A project with documents, saved questions and judged passages."""

from __future__ import annotations

import pytest
from support.factories import Corpus
from support.judged_questions import add_judged_questions


@pytest.fixture
def judged(corpus: Corpus) -> Corpus:
    """A project with the documents, questions and judgements of `support.judged_questions`."""
    add_judged_questions(corpus)
    return corpus
