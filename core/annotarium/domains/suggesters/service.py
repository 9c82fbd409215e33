"""Rules of suggesters: an active one retrains after a number of answers, not after each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.models import Job, Suggester
from annotarium.domains.components.service import require_component
from annotarium.domains.suggesters import repository
from annotarium.domains.suggesters.schemas import NewSuggester, SuggesterDecisions, SuggesterPatch, SuggesterRead
from annotarium.domains.trainables.schemas import DeleteResponse, EngineName
from annotarium.domains.trainables.service import TrainableService, trainable_fields
from annotarium.errors import InvalidInput
from annotarium.registry import get_registry
from annotarium.registry.messages import component_not_installed
from annotarium_plugins.base.suggester import Suggester as SuggesterComponent
from annotarium_schemas.messages import message

KIND = "suggester"
suggesters: TrainableService[Suggester] = TrainableService(Suggester, noun=KIND, kind="suggester", topic="suggesters")
ANSWERS_BEFORE_TRAINING = 10
"""Number of answers after which an active suggester retrains (research recommends 10 to 20)."""
ANSWERS_BEFORE_NEW_PROPOSALS = 250
"""Number of answers after which an active suggester that is not trained proposes again: half of what it proposes."""


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
    """Create a suggester; it is inactive until started."""
    created = suggesters.create(call, body)
    _check_learner(call, suggesters.require(call, created.name))
    return created


def update_suggester(call: ProjectCall, name: str, body: SuggesterPatch) -> SuggesterRead:
    row = suggesters.update(call, name, body)
    if body.parameters is not None:
        _check_learner(call, row)
    return _build_suggester_read_model(row, suggesters.training(call, [row]))


def _check_learner(call: ProjectCall, row: Suggester) -> None:
    """Raise `InvalidInput` with the fields unless the learner that the suggester trains exists and accepts its
    parameters, `AccessDenied` unless the caller may use it.
    """
    component = get_registry().build(KIND, row.engine, row.parameters)
    assert isinstance(component, SuggesterComponent)
    if component.learner is None:
        return
    learner, parameters = component.learner
    name_field, parameters_field = _learner_fields(row.engine)
    if learner not in get_registry().names("learner"):
        fault = component_not_installed("learner", learner)
        raise InvalidInput(fault, details=[{"field": name_field, "message": fault}])
    require_component(call.access, "learner", learner)
    try:
        get_registry().validate("learner", learner, dict(parameters))
    except InvalidInput as error:
        details = [one | {"field": f"{parameters_field}.{one['field']}"} for one in error.details]
        raise InvalidInput(error.message, details=details) from error


def _learner_fields(engine: str) -> tuple[str, str]:
    """Names of the parameters of a suggester that contain the learner's name and its parameters."""
    properties: dict[str, dict[str, Any]] = get_registry().describe(KIND, engine).parameters_schema["properties"]
    for name, field in properties.items():
        if isinstance(field.get("x-parameters-of"), str):
            return field["x-parameters-of"], name
    return "learner", "learner_parameters"


def delete_suggesters(call: ProjectCall, names: Sequence[str]) -> DeleteResponse:
    """Delete suggesters with their models and suggestions; none if one of the names does not exist.

    They can be restored for a while; an active one then makes its suggestions again.
    """
    rows = [suggesters.require(call, name) for name in dict.fromkeys(names)]
    for row in rows:
        repository.delete_suggestions(call.session, call.project.id, row.name)
        suggesters.delete(call, row)
    return DeleteResponse(removed_count=len(rows))


def restore_suggester(call: ProjectCall, name: str) -> SuggesterRead:
    """Restore a deleted suggester with its parameters and model. An active one makes suggestions again."""
    row = suggesters.restore(call, name)
    if row.active:
        call.session.flush()
        start_training(call, row)
    return _build_suggester_read_model(row, suggesters.training(call, [row]))


def start(call: ProjectCall, name: str, *, force: bool) -> None:
    """Activate a suggester. It trains immediately if its model is missing or outdated, or if forced (T-029)."""
    row = suggesters.require(call, name)
    require_component(call.access, "suggester", row.engine)
    row.active = True
    if force or not row.timestamp or not row.uptodate or row.answers:
        start_training(call, row)
    suggesters.notify(call, name, "started")


def stop(call: ProjectCall, name: str) -> None:
    """Deactivate a suggester and cancel its training; its suggestions are kept."""
    row = suggesters.require(call, name)
    row.active = False
    suggesters.cancel(call, row)
    suggesters.notify(call, name, "stopped")


def start_training(call: ProjectCall, row: Suggester) -> Job | None:
    """Start training; returns None if a training is already running."""
    if suggesters.training(call, [row]):
        return None
    return suggesters.start(
        call,
        row,
        type="TRAIN_AND_SUGGEST",
        function="train_and_suggest",
        description=message("start.suggest", "Making suggestions with {name}", name=row.label),
        parameters={"engine": row.engine, **_split_parameters(row.parameters)},
    )


def _split_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    """Split parameters into those of the learner and those of proposing (B-004)."""
    suggest = {name: value for name, value in parameters.items() if name not in ("learner", "learner_parameters")}
    train = {"learner": parameters["learner"]} if "learner" in parameters else {}
    return {"train": train | (parameters.get("learner_parameters") or {}), "suggest": suggest}


def mark_suggesters_outdated(call: ProjectCall) -> None:
    """Mark active suggesters as outdated after texts, segments or the split changed; they retrain with the next
    answers.

    Deletes suggestions on documents that are now in the test part.
    """
    if call.project.has_split:
        repository.delete_suggestions_in_test_part(call.session, call.project.id)
    for row in repository.active_suggesters(call.session, call.project.id):
        row.uptodate = False


def count_answers_and_retrain(call: ProjectCall, answers: int) -> None:
    """Answers came in (see `content.labelling.changes.labelling_changed`): active suggesters train again
    after enough. An untrained suggester learns nothing from them; it proposes again when half of what it proposed may
    be answered, or when texts changed.
    """
    for row in repository.active_suggesters(call.session, call.project.id):
        row.answers += answers
        learns = get_registry().learns_from_labels(KIND, row.engine)
        if learns is None:
            continue
        due = ANSWERS_BEFORE_TRAINING
        if learns:
            row.uptodate = False
        elif row.uptodate:
            due = ANSWERS_BEFORE_NEW_PROPOSALS
        if row.answers >= due and call.job_id is None:
            start_training(call, row)


def count_decisions(call: ProjectCall) -> list[SuggesterDecisions]:
    """What people decided about the proposals of each suggester, as far as the caller may read the labelling."""
    accepted, rejected = repository.count_decisions(call)
    return [
        SuggesterDecisions(
            name=row.name,
            accepted=accepted[row.name],
            rejected=rejected[row.name],
            acceptance_rate=_share(accepted[row.name], rejected[row.name]),
        )
        for row in suggesters.all(call)
    ]


def _share(accepted: int, rejected: int) -> float | None:
    return accepted / (accepted + rejected) if accepted + rejected else None
