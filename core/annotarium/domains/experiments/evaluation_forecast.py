"""Forecast of how a training started now would be evaluated, for the form and the launch dialog.

It uses only what is cheap to compute.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from annotarium.access.call import ProjectCall
from annotarium.content.holdout import SEED, holdout_group_of_document
from annotarium.db.models import CLASSIFICATION
from annotarium.domains.experiments import repository
from annotarium.domains.experiments.evaluation_plan import FOLDS, TEST_SHARE, use_cross_validation
from annotarium.domains.experiments.schemas import MeasurementForecast, MetadataField
from annotarium.search.index_entries import metadata_facet_values

_FIELDS, _VALUES = 50, 10_000
"""Maximum number of metadata fields offered, and of different values counted per field."""


def forecast_evaluation(call: ProjectCall, group_field: str) -> MeasurementForecast:
    """How many annotated documents a training would learn from and test on, counting those the caller may read.

    The training itself uses all documents, and counts segments.
    """
    groups: Counter[str] = Counter()
    values: dict[str, set[str]] = {}
    reserved = 0
    for one in repository.annotated_documents(call):
        if call.project.has_split and one.split == "test":
            reserved += 1
            continue
        groups[holdout_group_of_document(one.identifier, one.metadata, group_field)] += 1
        _collect_metadata_values(values, one.metadata)
    documents = groups.total()
    found = MeasurementForecast(
        method="none",
        group_field=group_field,
        seed=SEED,
        share=TEST_SHARE,
        train=documents,
        test=reserved,
        groups=len(groups),
        fields=_grouping_fields(values, documents),
    )
    if reserved:
        found.method = "project"
        return found
    if call.project.has_split:
        found.cautions.append("testPartNotAnnotated")
    if len(groups) < 2:
        found.cautions.append("oneGroup")
        return found
    samples = documents
    if call.project.nature != CLASSIFICATION:
        samples = repository.count_segments(call.session, call.project.id)
    if use_cross_validation(len(groups), samples):
        found.method, found.folds, found.test = "crossValidation", min(FOLDS, len(groups)), documents
        found.cautions.append("fewGroups")
    else:
        found.method, found.test = "heldOut", round(TEST_SHARE * documents)
        found.train = documents - found.test
    return found


def _collect_metadata_values(values: dict[str, set[str]], metadata: Mapping[str, object]) -> None:
    for name, value in metadata.items():
        if name in values or len(values) < _FIELDS:
            seen = values.setdefault(name, set())
            if len(seen) < _VALUES:
                seen.update(metadata_facet_values(value)[:1])


def _grouping_fields(values: Mapping[str, set[str]], documents: int) -> list[MetadataField]:
    """The fields that have fewer values than there are documents, so that they group documents."""
    return [
        MetadataField(name=name, values=len(seen))
        for name, seen in sorted(values.items())
        if 1 < len(seen) < max(documents, 3)
    ]
