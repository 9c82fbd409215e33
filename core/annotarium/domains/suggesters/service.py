"""Rules of suggesters: an active one retrains after enough answers, never per click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.models import Job, Suggester
from annotarium.domains.components.service import require_component
from annotarium.domains.suggesters import repository
from annotarium.domains.suggesters.schemas import NewSuggester, SuggesterPatch, SuggesterRead
from annotarium.domains.trainables.schemas import DeleteResponse, EngineName
from annotarium.domains.trainables.service import TrainableService, trainable_fields
from annotarium_schemas.messages import message

KIND = "suggester"
suggesters: TrainableService[Suggester] = TrainableService(Suggester, noun=KIND, kind="suggester", topic="suggesters")
ANSWERS_BEFORE_TRAINING = 10
"""Answers after which an active suggester trains again (research: every 10 to 20 answers)."""


def _build_suggester_read_model(row: Suggester, training: set[str]) -> SuggesterRead:
    return SuggesterRead(
        **trainable_fields(row, training),
        running=row.active or row.name in training,
        training=row.name in training,
        answers=row.answers,
    )


def list_suggesters(call: ProjectCall, tags: Sequence[str]) -> list[SuggesterRead]:
    """Suggesters, those with all the tags when some are given."""
    return suggesters.read_all(call, tags, _build_suggester_read_model)


def read_suggester(call: ProjectCall, name: str) -> SuggesterRead:
    """One suggester."""
    return suggesters.read_one(call, name, _build_suggester_read_model)


def create_suggester(call: ProjectCall, body: NewSuggester) -> EngineName:
    """Create a suggester; it does nothing until it is started."""
    return suggesters.create(call, body)


def update_suggester(call: ProjectCall, name: str, body: SuggesterPatch) -> SuggesterRead:
    """Change a suggester."""
    row = suggesters.update(call, name, body)
    return _build_suggester_read_model(row, suggesters.training(call, [row]))


def delete_suggesters(call: ProjectCall, names: Sequence[str]) -> DeleteResponse:
    """Delete suggesters with their models and suggestions, all or none."""
    rows = [suggesters.require(call, name) for name in dict.fromkeys(names)]
    for row in rows:
        repository.delete_suggestions(call.session, call.project.id, row.name)
        suggesters.delete(call, row)
    return DeleteResponse(removed_count=len(rows))


def start(call: ProjectCall, name: str, *, force: bool) -> None:
    """Make a suggester active; it trains at once when it has no current model, or when forced (T-029)."""
    row = suggesters.require(call, name)
    require_component(call.access, "suggester", row.engine)
    row.active = True
    if force or not row.models or not row.uptodate or row.answers:
        start_training(call, row)
    suggesters.notify(call, name, "started")


def stop(call: ProjectCall, name: str) -> None:
    """Make a suggester passive; its suggestions stay."""
    row = suggesters.require(call, name)
    row.active = False
    suggesters.cancel(call, row)
    suggesters.notify(call, name, "stopped")


def start_training(call: ProjectCall, row: Suggester) -> Job | None:
    """Start training unless it runs; None then."""
    if suggesters.training(call, [row]):
        return None
    return suggesters.start(
        call,
        row,
        type="TRAIN_AND_SUGGEST",
        function="train_and_suggest",
        description=message("start.suggest", "Looking for suggestions with {name}", name=row.label),
        parameters={"engine": row.engine, **_split_parameters(row.parameters)},
    )


def _split_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    """What trains the learner, and what proposes (B-004)."""
    suggest = {name: value for name, value in parameters.items() if name not in ("learner", "learner_parameters")}
    train = {"learner": parameters["learner"]} if "learner" in parameters else {}
    return {"train": train | (parameters.get("learner_parameters") or {}), "suggest": suggest}


def mark_suggesters_outdated(call: ProjectCall) -> None:
    """Models no longer know the texts and segments there are; they learn again with the next answers.

    Suggestions on documents that came into the test part go.
    """
    if call.project.has_split:
        repository.delete_suggestions_in_test_part(call.session, call.project.id)
    for row in repository.active_suggesters(call.session, call.project.id):
        row.uptodate = False


def count_answers_and_retrain(call: ProjectCall, answers: int) -> None:
    """Answers came in (see `content.labelling.changes.labelling_changed`): active suggesters train again
    after enough.
    """
    for row in repository.active_suggesters(call.session, call.project.id):
        row.answers += answers
        row.uptodate = False
        if row.answers >= ANSWERS_BEFORE_TRAINING and call.job_id is None:
            start_training(call, row)
