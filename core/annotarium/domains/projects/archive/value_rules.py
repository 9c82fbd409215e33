"""Rules for values of archived rows, the same as requests have for these values.

`row_encoding` checks types (a number, a storable text) and timestamps; here, columns with further restrictions have a
Pydantic type. Every JSON column has one: a test requires it, so that no new column is missed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from annotarium.content.questions import MAX_GRADE
from annotarium.content.segmenter_choice import SEGMENTER_PROPERTY, SegmenterChoice
from annotarium.content.validation import InvalidContent
from annotarium.db.timestamps import MAX_TIMESTAMP
from annotarium.domains.answers.schemas import (
    FeedbackAnswer,
    FeedbackComment,
    FeedbackDetails,
    FeedbackQuestion,
    Verdict,
)
from annotarium.domains.comments.schemas import CommentText, Target
from annotarium.domains.labels.schemas import ShortName
from annotarium.domains.preferences.schemas import Preferences
from annotarium.domains.projects.archive.messages import field_label
from annotarium.domains.projects.schemas import Description, Language, Nature, Short
from annotarium.domains.searches.schemas import SearchKind, SearchLabel
from annotarium.errors import AnnotariumError
from annotarium.search import metadata_facets
from annotarium.search.params import check_query, params_from_request
from annotarium.search.search_defaults import SEARCH_DEFAULTS_PROPERTY
from annotarium_schemas.documents import CreationMode, MetadataValue, Status, Term
from annotarium_schemas.lexicons import Form, TermId
from annotarium_schemas.messages import message
from annotarium_schemas.ranking_experiments import (
    MAX_ANSWER,
    MAX_LISTED,
    ExperimentParameters,
    ExperimentReport,
    Kind,
)
from annotarium_schemas.search import SearchDefaults, SearchParams, SearchRequest
from annotarium_schemas.values import Color, Words

_SHOWN = 60
_STATE = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)

Count = Annotated[int, Field(ge=0, lt=2**31)]
Timestamp = Annotated[int, Field(ge=0, le=MAX_TIMESTAMP)]
"""A timestamp of a model: milliseconds since 1970, 0 = none."""
Share = Annotated[float, Field(ge=0, le=1)]
Percent = Annotated[int, Field(ge=0, le=100)]
Ratio = Annotated[int, Field(ge=0, le=10_000)]
"""Figures in ten thousandths."""
Name = Annotated[str, StringConstraints(min_length=1, max_length=255)]
"""A name used in URLs; names of labels and relations may contain slashes."""
PlainName = Annotated[Name, StringConstraints(pattern=r"^[^/]+$")]
"""A name that is a single path segment of a URL."""
Offset = Annotated[int, Field(ge=0, lt=2**31)]
Properties = dict[str, Any] | None
Version = Annotated[int, Field(ge=0, lt=2**62)]
Fragments = list[tuple[Offset, Offset]] | None
Person = Annotated[str, StringConstraints(max_length=255)]


def _checked_search(value: dict[str, Any]) -> dict[str, Any]:
    check_query(params_from_request(SearchRequest(search=SearchParams.model_validate(value))))
    return value


def _checked_properties(value: dict[str, Any]) -> dict[str, Any]:
    if SEGMENTER_PROPERTY in value:
        SegmenterChoice.model_validate(value[SEGMENTER_PROPERTY])
    if SEARCH_DEFAULTS_PROPERTY in value:
        SearchDefaults.model_validate(value[SEARCH_DEFAULTS_PROPERTY])
    return value


def _checked_experiment_parameters(value: dict[str, Any]) -> dict[str, Any]:
    ExperimentParameters.model_validate(value)
    return value


def _checked_experiment_report(value: dict[str, Any]) -> dict[str, Any]:
    ExperimentReport.model_validate(value)
    return value


def _checked_metafacets(value: list[Any]) -> list[Any]:
    return metadata_facets.validate_metadata_facets(value)


class _LabellingHistoryState(BaseModel):
    """A former state of an annotation or category in the history; undo writes it back field by field."""

    model_config = _STATE

    label_id: int
    start: Offset | None = None
    end: Offset | None = None
    status: Status | None = None
    creation_mode: CreationMode = "undefined"
    score: float | None = None
    created_by: Person = ""
    properties: Properties = None
    fragments: list[list[Offset]] | None = None
    terms: list[Any] | None = None


class _AnnotationHistoryState(_LabellingHistoryState):
    start: Offset
    end: Offset


class _RelationHistoryState(BaseModel):
    """A former state of a relation in the history."""

    model_config = _STATE

    name_id: int
    source_id: int
    target_id: int
    created_by: Person = ""
    properties: Properties = None


class _AltTextHistoryState(BaseModel):
    """A former state of an alternative text in the history."""

    model_config = _STATE

    name: Name
    text: str
    properties: dict[str, Any] = Field(default_factory=dict)


class _CommentHistoryState(BaseModel):
    """A former state of a comment in the history."""

    model_config = _STATE

    target: Target
    text: str = ""


STATES: dict[str, type[BaseModel]] = {
    "annotation": _AnnotationHistoryState,
    "category": _LabellingHistoryState,
    "relation": _RelationHistoryState,
    "alt_text": _AltTextHistoryState,
    "comment": _CommentHistoryState,
}
"""Schemas of history states by entity."""


class _Training(BaseModel):
    """One of the last trainings of an experiment (C-034)."""

    timestamp: Timestamp
    duration: Timestamp
    classes: list[str]
    parameters: dict[str, Any]
    quality: Percent
    report: dict[str, Any] | None = None


class _Proposal(BaseModel):
    """A category proposed by a suggester."""

    model_config = _STATE

    labelName: Name
    score: float | None = None


class _SpanProposal(_Proposal):
    """An annotation proposed by a suggester."""

    start: Offset
    end: Offset
    text: str = ""


class _CandidateExample(BaseModel):
    """An occurrence of a candidate for a term."""

    model_config = _STATE

    documentIdentifier: str
    documentTitle: str = ""
    start: Offset
    end: Offset
    before: str = ""
    text: str
    after: str = ""


class _SimilarTerm(BaseModel):
    """A term whose form is similar to that of a candidate."""

    model_config = _STATE

    lexicon: Name
    identifier: str
    preferredForm: str


_ENGINE: dict[str, Any] = {
    "name": PlainName,
    "engine": Name,
    "parameters": dict[str, Any],
    "models": Count,
    "timestamp": Timestamp,
    "duration": Timestamp,
    "tags": list[str],
    "quality": Percent,
}
_LABELLED: dict[str, Any] = {
    "status": Status | None,
    "creation_mode": CreationMode,
    "score": float | None,
    "properties": Properties,
}

RULES: dict[str, dict[str, Any]] = {
    "projects": {
        "description": Description,
        "nature": Nature,
        "lang": Language,
        "route_on_open_project": Short | None,
        "metafacets": Annotated[list[Any], AfterValidator(_checked_metafacets)],
        "properties": Annotated[dict[str, Any], AfterValidator(_checked_properties)],
        "split_facts": dict[str, Any],
    },
    "documents": {"metadata": dict[str, MetadataValue]},
    "alt_texts": {"name": Words, "properties": dict[str, Any]},
    "document_layouts": {"marks": list[Any]},  # `check_document` checks it against the text
    "segments": {"start": Offset, "end": Offset, "ordinal": Count, "metadata": dict[str, MetadataValue] | None},
    "annotations": _LABELLED | {"terms": list[Term] | None, "fragments": Fragments},
    "categories": _LABELLED,
    "answer_feedback": {
        "question": FeedbackQuestion,
        "answer": FeedbackAnswer,
        "verdict": Verdict,
        "comment": FeedbackComment,
        "details": FeedbackDetails,
        "question_identifier": Name | None,
    },
    "comment_threads": {"target": Target, "start": Offset | None, "end": Offset | None},
    "comments": {"text": CommentText, "mentions": list[Person]},
    "relations": {"properties": Properties},
    "relation_names": {"name": Words, "color": Color},
    "label_sets": {"name": Words, "label": Words, "tags": list[str]},
    "labels": {"name": Words, "label": Words, "color": Color, "short_name": ShortName | None},
    "lexicons": {"name": PlainName, "label": Words, "color": Color, "terms_version": Version},
    "terms": {"identifier": TermId, "preferred_form": Form, "properties": dict[str, Any]},  # `check_term` checks them
    "experiments": _ENGINE
    | {"classes": list[str], "report": dict[str, Any] | None, "history": list[_Training], "group_field": str},
    "suggesters": _ENGINE | {"answers": Count},
    "ranking_experiments": {
        "name": PlainName,
        "label": Words,
        "kind": Kind,
        "parameters": Annotated[dict[str, Any], AfterValidator(_checked_experiment_parameters)],
        "timestamp": Timestamp,
        "duration": Timestamp,
        "report": Annotated[dict[str, Any], AfterValidator(_checked_experiment_report)] | None,
    },
    "ranking_results": {
        "figures": Annotated[list[Annotated[list[Ratio | None], Field(max_length=20)]], Field(max_length=MAX_LISTED)],
        "answers": Annotated[list[Annotated[str, Field(max_length=MAX_ANSWER)]], Field(max_length=MAX_LISTED)],
        "quality": Ratio,
        "difference": Annotated[int, Field(ge=-10_000, le=10_000)],
    },
    "gazetteers": _ENGINE | {"terms": Count, "lexicon_versions": dict[str, str]},
    "term_candidates": {
        "key": Words,
        "form": Words,
        "kind": Literal["annotation", "sequence"],
        "occurrences": Count,
        "documents": Count,
        "examples": list[_CandidateExample],
        "similar": list[_SimilarTerm],
        "state": Literal["open", "accepted", "refused"],
    },
    "suggestions": {
        "annotations": list[_SpanProposal],
        "categories": list[_Proposal],
        "confidence": Share,
        "priority": Share,
    },
    "vectorizations": {
        "name": PlainName,
        "component": Name,
        "parameters": dict[str, Any],
        "probe": dict[str, Any],
    },
    "passage_judgements": {"start": Offset, "end": Offset, "grade": Annotated[int, Field(ge=0, le=MAX_GRADE)]},
    "plans": {"name": PlainName, "parameters": dict[str, Any], "tags": list[Any]},  # `check_plan` checks both
    "preferences": {"name": Literal[tuple(Preferences.model_fields)], "value": Any},  # `check_row` checks both together
    "saved_searches": {
        "name": PlainName,
        "label": SearchLabel,
        "kind": SearchKind,
        "search": Annotated[dict[str, Any], AfterValidator(_checked_search)],
    },
    "history": {
        "action": Annotated[str, StringConstraints(pattern=r"^[a-z]{1,16}$")],
        "kind": Literal["undo", "redo", "restore"] | None,
        "before": dict[str, Any] | None,  # `check_row` checks both states
        "after": dict[str, Any] | None,
    },
}
"""Types by table and column. Values of other columns are checked by `row_encoding` only."""


@cache
def _adapters(table: str) -> dict[str, TypeAdapter[Any]]:
    return {name: TypeAdapter(type_) for name, type_ in RULES.get(table, {}).items()}


def check_column_value(table: str, column: str, value: Any) -> None:
    """Raise `InvalidContent` unless the value is one that a request could have set.

    Columns without a rule accept any value.
    """
    adapter = _adapters(table).get(column)
    if adapter is not None:
        _check_value(table, column, value, lambda: adapter.validate_python(value))


def check_row(table: str, row: dict[str, Any]) -> None:
    """Raise `InvalidContent` unless the values of a row are consistent with each other.

    Each value must already have passed `check_column_value`.
    """
    if table == "preferences":
        chosen = {row["name"]: row["value"]}
        _check_value(table, "value", row["value"], lambda: Preferences.model_validate(chosen))
    if table == "history":
        for name in ("before", "after"):
            _check_history_state(name, row["entity"], row[name])


def _check_history_state(column: str, entity: str, state: dict[str, Any] | None) -> None:
    if state is not None:
        _check_value("history", column, state, lambda: STATES[entity].model_validate(state))


def _check_value(table: str, column: str, value: Any, check: Callable[[], Any]) -> None:
    try:
        check()
    except (ValidationError, AnnotariumError, RecursionError) as error:
        words = "{where} has an invalid value: {value}"
        shown = repr(value)[:_SHOWN]
        raise InvalidContent(message("archive.value", words, where=field_label(table, column), value=shown)) from error
