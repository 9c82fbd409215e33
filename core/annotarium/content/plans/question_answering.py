"""The components that answer the questions of a project: of its active plans, else the installation's defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from sqlalchemy.orm import Session

from annotarium.content.plans import plan_types, repository
from annotarium.content.plans.active import find_active, plan_of
from annotarium.content.plans.validation import validate_plan
from annotarium.db.models import Plan, Project
from annotarium.errors import InvalidInput, NotFound
from annotarium.registry import get_registry
from annotarium.registry.defaults import component_defaults
from annotarium.registry.messages import component_not_installed
from annotarium_schemas.messages import message
from annotarium_schemas.plans import component_of


@dataclass(frozen=True)
class ComponentChoice:
    """A component and all its parameters, defaults included."""

    name: str
    parameters: dict[str, Any]


@dataclass(frozen=True)
class QuestionAnsweringSetup:
    """The three parts of answering a question, in the order in which they run."""

    search_params_builder: ComponentChoice
    rag_context_builder: ComponentChoice
    question_answerer: ComponentChoice


def question_answering_setup(session: Session, project: Project, answerer: str = "") -> QuestionAnsweringSetup:
    """Return the components that answer a question: of each part the active plan's, else the installation's default.

    Args:
        answerer: name of a plan of the type question-answerer of the project, or of a component of the kind
            questionAnswerer; a plan takes precedence. Empty: the active plan, else the default.

    Raises:
        InvalidInput: `answerer` is unknown; a plan cannot run, e.g. because its component is not installed any more or
            lacks a setting; a default component is not installed.
        ServiceUnavailable: a component that no plan names, i.e. `answerer` or a default, cannot be used now.
    """
    return QuestionAnsweringSetup(
        search_params_builder=_active_or_default(session, project, plan_types.SEARCH_PARAMS),
        rag_context_builder=_active_or_default(session, project, plan_types.RAG_CONTEXT),
        question_answerer=_named_answerer(session, project, answerer)
        if answerer
        else _active_or_default(session, project, plan_types.ANSWERER),
    )


def search_params_builder_of_plan(
    session: Session, project: Project, name: str, *, field: str = "plan"
) -> ComponentChoice:
    """Return the component of a plan of the type search-params-builder.

    Args:
        field: of the request, named in errors.

    Raises:
        InvalidInput: there is no such plan, or it cannot run.
    """
    for row in repository.list_plans(session, project.id):
        if row.name == name and _type_of(row) == plan_types.SEARCH_PARAMS:
            return _component_of_plan(row, plan_types.SEARCH_PARAMS, active=False)
    problem = message("none.searchPlan", "There is no plan {name} that derives searches from questions", name=name)
    raise InvalidInput(problem, details=[{"field": field, "message": problem}])


def _active_or_default(session: Session, project: Project, type_: str) -> ComponentChoice:
    row = find_active(session, project.id, type_)
    return _component_of_plan(row, type_, active=True) if row is not None else _default_component(type_)


def _named_answerer(session: Session, project: Project, name: str) -> ComponentChoice:
    for row in repository.list_plans(session, project.id):
        if row.name == name and _type_of(row) == plan_types.ANSWERER:
            return _component_of_plan(row, plan_types.ANSWERER, active=False)
    kind = plan_types.QUESTION_KINDS[plan_types.ANSWERER]
    try:
        return _component(kind, name, {})
    except NotFound as error:
        text = "There is no question answerer and no plan for answering questions named {name}"
        raise InvalidInput(
            message("none.answerer", text, name=name),
            fix=message(
                "fix.answerer", "Choose another one, or none: then the active plan or the default answers the question"
            ),
            details=[{"field": "answerer", "message": message("none.answerer", text, name=name)}],
        ) from error


def _type_of(row: Plan) -> str | None:
    tags = list(map(str, row.tags))
    try:
        return plan_types.plan_type_of(tags, plan_of(row))
    except ValidationError:  # damaged
        return plan_types.plan_type_named_in_tags(tags)


def _component_of_plan(row: Plan, type_: str, *, active: bool) -> ComponentChoice:
    try:
        plan = plan_of(row)
        step = plan_types.question_step_of(validate_plan(plan, type_, lambda _: False))
    except (InvalidInput, ValidationError) as error:
        details = error.details if isinstance(error, InvalidInput) else []
        why = details[0]["message"] if details else message("plan.damaged", "Its content is damaged")
        problem = message("plan.notReady", "The plan {label} does not work: {why}", label=row.label, why=why)
        if active:
            text = "Edit or deactivate this plan, or ask an administrator to repair or set up its component"
            raise InvalidInput(problem, fix=message("fix.activePlan", text), details=details) from error
        text = "Edit this plan, choose another one, or ask an administrator to repair or set up its component"
        raise InvalidInput(problem, fix=message("fix.namedPlan", text), details=details) from error
    assert step is not None, "validate_plan requires it"
    return ComponentChoice(component_of(step), step.parameters)


def _default_component(type_: str) -> ComponentChoice:
    kind = plan_types.QUESTION_KINDS[type_]
    name = component_defaults().question_component(kind)
    try:
        return _component(kind, name, {})
    except NotFound as error:
        fix = message("fix.questionDefault", "Activate a plan of this type, or ask an administrator to install it")
        raise InvalidInput(component_not_installed(kind, name), fix=fix) from error


def _component(kind: str, name: str, parameters: dict[str, Any]) -> ComponentChoice:
    return ComponentChoice(name, get_registry().validate(kind, name, parameters).model_dump(mode="json"))
