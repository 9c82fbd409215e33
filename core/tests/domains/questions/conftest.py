"""A project with documents, and calls on its saved questions."""

from __future__ import annotations

import pytest
from support.factories import Corpus, document
from support.saved_questions import TEXT


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(document("d1", TEXT), document("d2", "Another text."))
    return corpus
