"""Runs the steps of a plan on documents, one after the other."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, NamedTuple

from annotarium.access.call import Call, ProjectCall
from annotarium.access.repository import find_project
from annotarium.content.plans import repository
from annotarium.content.plans.conditions import is_met
from annotarium.content.plans.plan_types import QuestionStep
from annotarium.content.plans.result_checks import check_results, snapshot_labels
from annotarium.content.plans.targets import DOCUMENT, extract_part_as_document, merge_results, target_ranges
from annotarium.content.segmentation import segment_text
from annotarium.content.term_labels import label_by_lexicon
from annotarium.content.validation import InvalidContent
from annotarium.db.models import Experiment, Gazetteer, Project, Suggester
from annotarium.errors import InvalidInput
from annotarium.registry import get_registry, model_store
from annotarium_plugins.base.annotator import Annotator
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.gazetteer import Gazetteer as GazetteerComponent
from annotarium_plugins.base.language_guesser import LanguageGuesser
from annotarium_plugins.base.learner import Learner
from annotarium_plugins.base.processor import Processor
from annotarium_plugins.base.segmenter import Segmenter
from annotarium_schemas.documents import Annotation, Category, Document, Sentence
from annotarium_schemas.messages import message
from annotarium_schemas.plans import (
    AnnotationPlan,
    Step,
    WithAnnotator,
    WithConverter,
    WithVectorizer,
    component_of,
    kind_of_step,
)

UNKNOWN_LANGUAGE = "xx"
LANGUAGE_FIELD = "language"
"""Metadata field that a language guesser writes."""


StepState = Literal["done", "off", "notMet", "elsewhere"]
"""What became of a step: it ran; it is disabled; its condition is not met; it does not work on documents."""


class ModelReference(NamedTuple):
    """Location of a model that was trained in a project."""

    project_id: int
    owner: str
    owner_id: int


class StepRun(NamedTuple):
    """A step that ran on a document, or was left out.

    Attributes:
        document: as it is after the step; a later step may change it.
        language: in which the following steps read it.
        seconds, loading: how long the step took, and before it the loading of its component.
    """

    number: int
    state: StepState
    document: Document
    language: str
    seconds: float
    loading: float


@dataclass
class PlanRunner:
    """Runs the pipeline of a plan. Components are built at the first document, in the process that runs them.

    Attributes:
        trained: models of projects that steps use, by the index of the step.
    """

    plan: AnnotationPlan
    language: str
    trained: dict[int, ModelReference] = field(default_factory=dict)
    _built: dict[int, Any] = field(default_factory=dict)

    def __call__(self, document: Document) -> Document:
        """Run all steps and return the resulting document. The object passed in may be changed.

        Raises:
            InvalidContent: a step failed on the document; the message names the step.
        """
        for run in self.run_steps(document):
            document = run.document
        return document

    def run_steps(self, document: Document) -> Iterator[StepRun]:
        """Run the steps one by one; yields what each of them did. Raises as a call."""
        language = self.language
        for number, step in enumerate(self.plan.pipeline):
            loading = seconds = 0.0
            state = self._reason_to_skip(step, document)
            if state is None:
                try:
                    begin = time.perf_counter()
                    component = self._component(number, step)
                    loading = time.perf_counter() - begin
                    document, language = self._step(component, step, document, language)
                    seconds = time.perf_counter() - begin - loading
                except InvalidContent:
                    raise
                except ComponentError as error:
                    raise _component_refused(number, step, error) from error
                except (Exception, SystemExit) as error:
                    raise _component_failed(number, step, error) from error
            yield StepRun(number, state or "done", document, language, seconds, loading)

    def _reason_to_skip(self, step: Step, document: Document) -> StepState | None:
        if step.disabled:
            return "off"
        if not _works_on_documents(step):
            return "elsewhere"
        return "notMet" if step.condition is not None and not is_met(step.condition, document) else None

    def _step(self, component: Any, step: Step, document: Document, language: str) -> tuple[Document, str]:
        if isinstance(component, Learner | Annotator | GazetteerComponent):
            _annotate(component, step, document, language)
        elif isinstance(component, Processor):
            document = _process(component, document, language)
        elif isinstance(component, LanguageGuesser):
            guessed = component.guess(document.text)
            if guessed and guessed != UNKNOWN_LANGUAGE:
                document.metadata[LANGUAGE_FIELD] = language = guessed
        elif isinstance(component, Segmenter):
            document.sentences = _run_segmenter(component, document, language)
        return document, language

    def _component(self, number: int, step: Step) -> Any:
        if number not in self._built:
            trained = self.trained.get(number)
            if trained is not None:
                owner = (trained.project_id, trained.owner, trained.owner_id)
                kind = "gazetteer" if trained.owner == "gazetteer" else "learner"
                self._built[number] = model_store.load_model(*owner, kind=kind)[0]
            else:
                kind = kind_of_step(step) or ""
                self._built[number] = get_registry().build(kind, component_of(step), step.parameters)
        return self._built[number]


def _component_refused(number: int, step: Step, error: ComponentError) -> InvalidContent:
    text = "Step {number} of the plan ({component}): {why}"
    problem = message("plan.stepSays", text, number=number + 1, component=component_of(step), why=error.message)
    return InvalidContent(problem, error.fix)


def _component_failed(number: int, step: Step, error: BaseException) -> InvalidContent:
    text = "Step {number} of the plan ({component}) failed ({error})"
    failure = f"{type(error).__name__}: {error}"
    problem = message("plan.stepFailed", text, number=number + 1, component=component_of(step), error=failure)
    return InvalidContent(problem, message("fix.step", "Repair or disable this step of the plan"))


def _works_on_documents(step: Step) -> bool:
    """Disabled steps do nothing; converters run before the first document, vectorizers on the index, the parts of
    answering on a question.
    """
    return not step.disabled and not isinstance(step, WithConverter | WithVectorizer | QuestionStep)


def _annotate(
    component: Learner[Any] | Annotator[Any] | GazetteerComponent[Any], step: Step, document: Document, language: str
) -> None:
    apply_to = getattr(step, "apply_to", None)
    ranges = list(target_ranges(document, apply_to.path if apply_to is not None else DOCUMENT))
    parts = [extract_part_as_document(document, start, end) for start, end in ranges]
    if isinstance(component, Learner):
        found: Iterable[Document] = component.predict(parts, language)
    elif isinstance(component, GazetteerComponent):
        found = map(label_by_lexicon, component.annotate(parts, language))
    else:
        found = component.annotate(parts, language)
    given_back = list(islice(found, len(ranges) + 1))
    if [part.text for part in given_back] != [document.text[start:end] for start, end in ranges]:
        raise _documents_changed_error()
    for (start, end), part in zip(ranges, given_back, strict=True):
        check_results(part)
        labelled: list[Annotation | Category] = [*part.annotations, *part.categories]
        for one in labelled:
            one.creation_mode = one.creation_mode or "automatic"
            one.created_by = one.created_by or component_of(step)
        merge_results(document, part, start, end)


def _process(component: Processor[Any], before: Document, language: str) -> Document:
    """Run a processor. Only its additions are checked here; imported labelling is checked by the import."""
    text, given = before.text, snapshot_labels(before)
    documents = list(component.process([before], language))
    if len(documents) != 1 or documents[0].text != text:
        raise _documents_changed_error()
    check_results(documents[0], given)
    return documents[0]


def _documents_changed_error() -> ComponentError:
    return ComponentError(
        message("plan.notGivenBack", "It did not return the document"),
        fix=message("fix.otherProcessor", "Choose another processor"),
    )


def _run_segmenter(component: Segmenter[Any], document: Document, language: str) -> list[Sentence]:
    given = {(one.start, one.end): one for one in document.sentences or ()}
    spans = [(one.start, one.end) for one in document.annotations if one.status != "KO"]
    ranges = segment_text(document.text, language, component.segment, spans)
    return [given.get((start, end)) or Sentence(start=start, end=end) for start, end in ranges]


def project_of(call: Call) -> Project | None:
    """Return the project of a call, None for a call outside projects."""
    return call.project if isinstance(call, ProjectCall) else None


def plan_runner_for(call: Call, plan: AnnotationPlan) -> PlanRunner | None:
    """Return a runner for the steps of a plan, within the call's project if it has one; None when no step works on
    documents.

    Raises:
        InvalidInput: a step names an annotator that does not exist or that the caller may not use.
    """
    if not any(_works_on_documents(step) for step in plan.pipeline):
        return None
    trained = {}
    for number, step in enumerate(plan.pipeline):
        if isinstance(step, WithAnnotator) and _works_on_documents(step):
            found = find_model_of_step(call, step)
            if found is not None:
                trained[number] = found
            elif step.annotator not in get_registry().names("annotator"):
                text = "Step {number} of the plan: there is no annotator {annotator}"
                problem = message("plan.noAnnotator", text, number=number + 1, annotator=step.annotator)
                raise InvalidInput(
                    problem, fix=message("fix.annotator", "Choose another annotator, or disable the step")
                )
    project = project_of(call)
    return PlanRunner(plan, project.lang if project is not None else UNKNOWN_LANGUAGE, trained)


def find_model_of_step(call: Call, step: WithAnnotator) -> ModelReference | None:
    """Return the model that a step names, in the call's project or in another one that the caller may read."""
    project = project_of(call)
    if step.project_name and (project is None or step.project_name != project.name):
        other = find_project(call.session, step.project_name)
        if other is None or not call.access.rights_on(other).read:
            return None
        project = other
    if project is None:
        return None
    row = repository.find_model_owner(call.session, project.id, step.annotator)
    if row is None:
        return None
    return ModelReference(project.id, _owner_kind(row), row.id)


def _owner_kind(row: Experiment | Suggester | Gazetteer) -> str:
    if isinstance(row, Gazetteer):
        return "gazetteer"
    return "experiment" if isinstance(row, Experiment) else "suggester"
