"""Rules of model archives: experiments or gazetteers with their models, moved from one project to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Table

from annotarium.access.call import Call, ProjectCall
from annotarium.content.validation import InvalidContent
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Experiment, Gazetteer, Plan, Project, Suggester
from annotarium.domains.components.service import may_use_component
from annotarium.domains.projects import service as projects
from annotarium.domains.projects.archive import repository
from annotarium.domains.projects.archive.messages import with_row_number
from annotarium.domains.projects.archive.model_files import place_model
from annotarium.domains.projects.archive.project_name_references import archived_project_name, rename_project_references
from annotarium.domains.projects.archive.row_encoding import IdMap, decode_row, without_trained_model
from annotarium.domains.projects.archive.schemas import EngineConfigImportSummary
from annotarium.domains.projects.archive.unpacking import Unpacked, read_json_lines
from annotarium.domains.projects.archive.writing import ArchiveExport, write_archive
from annotarium.domains.projects.schemas import LABEL_LENGTH, ProjectCreate, ProjectStatus
from annotarium.errors import AnnotariumError, InvalidInput, NotFound
from annotarium.registry import get_registry
from annotarium_schemas.messages import message

_LINE_LIMIT = 64 << 20


class ArchivedEngines(NamedTuple):
    """What a model archive contains.

    Attributes:
        kind: the kind of component that the engine of a row is.
        names: tables in which a name must not exist already.
    """

    table: Table
    kind: str
    names: tuple[Table, ...]


_ANNOTATORS = tuple(repository.table_of(model) for model in (Experiment, Suggester, Gazetteer, Plan))
EXPERIMENTS = ArchivedEngines(_ANNOTATORS[0], "learner", (_ANNOTATORS[0], _ANNOTATORS[2]))
GAZETTEERS = ArchivedEngines(_ANNOTATORS[2], "gazetteer", _ANNOTATORS)


def export_models(
    call: ProjectCall, names: Sequence[str], *, favorite: bool, engines: ArchivedEngines = EXPERIMENTS
) -> Iterator[bytes]:
    """The bytes of a model archive: of the named experiments or gazetteers, else of the favourites if `favorite`, else
    of all.

    Raises:
        NotFound: one of them does not exist.
    """
    found = repository.engine_names(call.session, engines.table, call.project.id, favorite=favorite and not names)
    missing = sorted(set(names) - set(found))
    if missing:
        text = message("none.experiment", "There is no experiment {name} in this project", name=missing[0])
        if engines is GAZETTEERS:
            text = message("none.gazetteer", "There is no gazetteer {name} in this project", name=missing[0])
        raise NotFound(text)
    wanted, table = set(names) or set(found), str(engines.table.name)
    return write_archive(ArchiveExport(call.access, call.project.id, experiments=wanted, engines=table))


def import_models(
    call: ProjectCall, archive: Unpacked, engines: ArchivedEngines = EXPERIMENTS
) -> EngineConfigImportSummary:
    """Add the experiments or gazetteers of an unpacked model archive to a project. Model files are moved after the
    commit.

    Those with an existing name, or with an engine that is not usable here, are left out.

    Raises:
        InvalidInput: the archive has invalid content.
    """
    summary = EngineConfigImportSummary()
    known = IdMap({}, {}, brought_by=call.username, brought_at=now_ms())
    try:
        rows = list(read_json_lines(archive.tables.get(engines.table.name), _LINE_LIMIT))
        given = [str(row.get("name")) for row in rows if isinstance(row, dict)]
        taken: set[str] = set()
        for table in engines.names:
            taken |= repository.existing_names(call.session, table, call.project.id, given)
        for number, row in enumerate(rows, start=1):
            try:
                _import_row(call, row, _Import(archive, engines, known, taken), summary)
            except InvalidContent as error:
                raise with_row_number(engines.table.name, number, error) from error
    except InvalidContent as error:
        raise InvalidInput(error.message, fix=error.fix) from error
    if summary.configs:
        arg = {"type": "imported", "count": len(summary.configs), "by": call.username}
        call.unit.emit(str(engines.table.name), arg, project=call.project.name)
    return summary


class _Import(NamedTuple):
    """An import of a model archive; `taken` are the names of its rows that exist in the project."""

    archive: Unpacked
    engines: ArchivedEngines
    known: IdMap
    taken: set[str]


def _import_row(call: ProjectCall, row: Any, run: _Import, summary: EngineConfigImportSummary) -> None:
    folders, table = _model_folders_of_row(run.archive, row), run.engines.table
    values = decode_row(row if folders else without_trained_model(row), table, run.known, call.project.id)
    if values["name"] in run.taken or not _is_engine_usable(call, values, run.engines.kind):
        summary.ignored.append(values["label"])
        return
    if run.engines is GAZETTEERS:  # its lexicons are those of this project
        values |= {"uptodate": False, "lexicon_versions": {}}
    rename_project_references(values, table, archived_project_name(run.archive.manifest), call.project.name)
    run.taken.add(values["name"])  # a forged archive may have two of one name
    repository.insert_all(call.session, table, [values])
    summary.configs.append(values["label"])
    for kind, folder in folders:
        # The row first: model files without a row are harmless, a row without files would claim to have a model.
        call.unit.after_commit(partial(place_model, folder, call.project.id, kind, values["id"]))
        summary.models += 1


def _model_folders_of_row(archive: Unpacked, row: Any) -> list[tuple[str, Path]]:
    if not isinstance(row, dict):
        raise InvalidContent(message("archive.experiment", "An experiment of the archive is not an object"))
    return [(kind, folder) for (kind, owner, _), folder in archive.models.items() if owner == row.get("id")]


def _is_engine_usable(call: Call, values: dict[str, Any], kind: str) -> bool:
    try:
        get_registry().validate(kind, values["engine"], values["parameters"], trained=True)
    except AnnotariumError:
        return False
    return may_use_component(call.access, kind, values["engine"])


def project_for_models(
    call: Call,
    archive: Unpacked,
    *,
    group_name: str | None,
    reuse_name: bool,
    name: str | None,
    label: str | None,
) -> ProjectStatus:
    """The project for a model archive: an existing one of that name if `reuse_name`, else a new one.

    Raises:
        AccessDenied: the caller may not create a project of that name.
        InvalidInput: neither the archive nor the request names a valid project.
    """
    facts = archive.manifest.get("project")
    facts = facts if isinstance(facts, dict) else {}
    wanted = name or str(facts.get("name", ""))
    found = repository.find_project(call.session, wanted) if reuse_name else None
    if found is not None and found.deleted_at is None and call.access.rights_on(found).read:
        return ProjectStatus(project_name=wanted, status="existing")
    try:
        body = ProjectCreate(
            label=(label or str(facts.get("label", "")))[:LABEL_LENGTH] or "Models",
            name=name,
            nature=facts.get("nature", "sequence_labelling"),
            lang=facts.get("lang", "en"),
        )
    except ValueError as error:
        raise InvalidInput(
            message("wrong.archiveProject", "Neither the archive nor the request names a project that can be created"),
            cause=str(error),
        ) from error
    return projects.create_project(call, body, group_name)


def call_within_project(call: Call, project: Project) -> ProjectCall:
    """The call, within a project that the caller may write."""
    origin: dict[str, Any] = {"request_id": call.request_id, "address": call.address, "secure": call.secure}
    return ProjectCall(call.unit, call.access, job_id=call.job_id, project=project, **origin)
