"""A small corpus for tests of documents and models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.factories import Corpus


@pytest.fixture
def corpus(as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]], client: Any) -> Corpus:
    """An empty project of nature sequence_labelling, called by a user with every role."""
    return Corpus(as_admin, make_project(lang="en"), run_jobs)


@pytest.fixture
def topics(as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]], client: Any) -> Corpus:
    """An empty project of nature classification, called by a user with every role."""
    return Corpus(as_admin, make_project(lang="en", nature="classification", exclusive_classes=True), run_jobs)
