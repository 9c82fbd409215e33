"""CRFsuite models are validated before the native library reads them."""

from __future__ import annotations

import random

import pytest

from annotarium_engines.learners.crf_file_check import check_crf_file
from annotarium_engines.learners.crf_learner import CrfLearner, CrfLearnerParameters
from annotarium_schemas.documents import Annotation, Document

FIELDS = [field for field in range(0, 48, 4) if field != 16]  # the count of features is not used
VALUES = (0x7FFFFF00, 0xFFFFFFFF, 0x7FFFFFFF, 1 << 20)


@pytest.fixture(scope="module")
def model() -> bytes:
    learner = CrfLearner(CrfLearnerParameters(iterations=5))
    names = ["Ada Lovelace", "Grace Hopper", "Emmy Noether"]
    documents = [
        Document(
            identifier=name,
            text=f"Yesterday {name} came.",
            annotations=[Annotation(start=10, end=10 + len(name), label_name="person", status="OK")],
        )
        for name in names
    ]
    learner.fit(documents, labels=["person"], language="en")
    assert learner._trained is not None
    return learner._trained.model


def test_a_trained_model_passes_the_check(model: bytes) -> None:
    check_crf_file(model)


@pytest.mark.parametrize("field", FIELDS)
def test_header_fields_that_point_outside_the_file_are_refused(model: bytes, field: int) -> None:
    for value in VALUES:
        with pytest.raises(ValueError, match=r"\w"):
            check_crf_file(model[:field] + value.to_bytes(4, "little") + model[field + 4 :])


def test_truncated_or_corrupted_models_raise_value_errors_only(model: bytes) -> None:
    """Every damage is reported as `ValueError`, never as another exception."""
    chance = random.Random(1)
    refused = 0
    for _ in range(300):
        body = bytearray(model[: chance.randrange(len(model))] if chance.random() < 0.3 else model)
        for _ in range(chance.randrange(1, 6)):
            if body:
                body[chance.randrange(len(body))] = chance.randrange(256)
        try:
            check_crf_file(bytes(body))
        except ValueError:
            refused += 1
    assert refused > 100
