"""Rules of sample projects: the corpus that comes with the product, then a model and suggestions."""

from __future__ import annotations

from typing import NamedTuple

from annotarium.access.call import Call, ProjectCall
from annotarium.db.models import Project
from annotarium.domains.components.service import may_use_component, usable_component_descriptions
from annotarium.domains.experiments import service as experiments
from annotarium.domains.experiments.schemas import NewExperiment
from annotarium.domains.imports import service as imports
from annotarium.domains.imports import uploads
from annotarium.domains.imports.schemas import ImportOptions
from annotarium.domains.imports.upload_receiving import FileWriter
from annotarium.domains.projects import service as projects
from annotarium.domains.projects.schemas import ProjectCreate
from annotarium.domains.sample_projects.schemas import SampleStarted
from annotarium.domains.suggesters import service as suggesters
from annotarium.domains.suggesters.schemas import NewSuggester
from annotarium.registry import get_registry
from annotarium.samples import read_film_biographies
from annotarium.settings import get_settings
from annotarium_plugins.base.suggester import Suggester

LABEL = "Film biographies"
LANGUAGE = "en"
FILENAME = "film-biographies.json"
JOB_FUNCTION = "fill_sample_project"


def create_sample_project(call: Call) -> SampleStarted:
    """Create the project and start the job that fills it.

    Raises:
        Conflict: a limit of the group is reached. AccessDenied: the call is restricted to other projects.
    """
    name = projects.create_project(call, ProjectCreate(label=LABEL, lang=LANGUAGE), None).project_name
    project = next(row for row in projects.readable_projects(call) if row.name == name)
    within = _call_within_project(call, project)
    writer = FileWriter(FILENAME, "application/json", get_settings().upload_limit)
    try:
        writer.write(read_film_biographies())
        received = writer.finish()
    except BaseException:
        writer.discard()
        raise
    try:
        uploads.register(call, [received])
        call.session.flush()
        job = imports.start_import(within, [received.id], ImportOptions(), function=JOB_FUNCTION)
    except BaseException:
        uploads.discard([received])
        raise
    return SampleStarted(project_name=name, job_id=job.id)


def _call_within_project(call: Call, project: Project) -> ProjectCall:
    return ProjectCall(unit=call.unit, access=call.access, request_id=call.request_id, project=project)


class SampleComponents(NamedTuple):
    """Names of the components that learn from the sample."""

    suggester: str
    learner: str


def choose_components(call: ProjectCall) -> SampleComponents | None:
    """The first installed suggester that trains a learner, and that learner: the sample shows it as an experiment, too.

    None if the caller may use none, or if the project has experiments or suggesters: the job may run twice. Loads
    components, which takes long: call it outside writing transactions.
    """
    if experiments.experiments_of_project(call) or suggesters.suggesters.all(call):
        return None
    for found in usable_component_descriptions(call.access, "suggester", project=call.project):
        component = get_registry().build("suggester", found.info.name, {})
        assert isinstance(component, Suggester)
        if component.learner is None:
            continue
        learner = component.learner[0]
        if may_use_component(call.access, "learner", learner):
            return SampleComponents(found.info.name, learner)
    return None


def start_learning(call: ProjectCall, components: SampleComponents) -> None:
    """Start a training, and a suggester if the caller may manage suggesters."""
    experiment = experiments.create_experiment(call, NewExperiment(engine=components.learner)).name
    call.session.flush()
    experiments.launch(call, experiment, annotate_corpus=False)
    if call.access.can("seeSuggestersSettings"):
        suggester = suggesters.create_suggester(call, NewSuggester(engine=components.suggester)).name
        call.session.flush()
        suggesters.start(call, suggester, force=False)
