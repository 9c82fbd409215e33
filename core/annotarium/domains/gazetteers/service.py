"""Rules of gazetteers: which lexicons they read, when they are up to date, the job that synchronises them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.models import Gazetteer, Job
from annotarium.domains.components.service import may_use_component, require_component
from annotarium.domains.experiments.service import mark_dictionary_experiments_outdated
from annotarium.domains.gazetteers.matcher import GazetteerAnnotator, load_gazetteer
from annotarium.domains.gazetteers.schemas import GazetteerPatch, GazetteerRead, NewGazetteer
from annotarium.domains.jobs.service import mail_language
from annotarium.domains.lexicons.service import lexicon_versions
from annotarium.domains.trainables.schemas import DeleteResponse, EngineName
from annotarium.domains.trainables.service import TrainableService, trainable_fields
from annotarium.errors import AccessDenied, Conflict, InvalidInput
from annotarium.registry.model_store import state_of_foreign_model
from annotarium_schemas.messages import message

__all__ = ["GazetteerAnnotator", "load_gazetteer"]
KIND = "gazetteer"
LEXICONS = "lexicons"
"""Parameter of an engine with the names of the lexicons, or with objects that name one as `lexicon`. Empty = all."""
gazetteers: TrainableService[Gazetteer] = TrainableService(Gazetteer, noun=KIND, kind=KIND, topic="gazetteers")


@dataclass(frozen=True)
class UsedLexicons:
    """The lexicons of a gazetteer.

    Attributes:
        versions: version marks of the present ones by name, in the order of the parameters.
        missing: names in the parameters that no lexicon has.
    """

    versions: dict[str, str]
    missing: list[str]


def lexicon_names(parameters: Mapping[str, Any]) -> list[str]:
    """The names in the parameters of a gazetteer, without duplicates; empty = all lexicons of the project."""
    given = parameters.get(LEXICONS)
    items = given if isinstance(given, list) else [given]
    names = (one.get("lexicon", one.get("name")) if isinstance(one, dict) else one for one in items)
    return list(dict.fromkeys(name for name in names if isinstance(name, str) and name))


def used_lexicons(parameters: Mapping[str, Any], present: Mapping[str, str]) -> UsedLexicons:
    """The lexicons that a gazetteer with these parameters reads.

    Args:
        present: version marks of all lexicons of the project, by name.
    """
    wanted = lexicon_names(parameters)
    if not wanted:
        return UsedLexicons(dict(present), [])
    versions = {name: present[name] for name in wanted if name in present}
    return UsedLexicons(versions, [name for name in wanted if name not in present])


def lexicons_as_labels(parameters: Mapping[str, Any], lexicons: Sequence[str]) -> list[str]:
    """The lexicons whose occurrences are labelled with the name of the lexicon, so that it must be a label.

    By convention, `labels` of an engine maps names (`found`) to labels, `other` is the label of all others, and
    `label_by` is `lexicon` if the names are those of lexicons.
    """
    if parameters.get("other") or parameters.get("label_by", "lexicon") != "lexicon":
        return []
    rows = parameters.get("labels")
    given = rows if isinstance(rows, list) else []
    mapped = {str(one.get("found", "")).casefold() for one in given if isinstance(one, dict)}
    return [name for name in lexicons if name.casefold() not in mapped]


def _reader(call: ProjectCall) -> Callable[[Gazetteer, set[str]], GazetteerRead]:
    """Build read models; the version marks are read once."""
    present = lexicon_versions(call)

    def read(row: Gazetteer, running: set[str]) -> GazetteerRead:
        used = used_lexicons(row.parameters, present)
        fields = trainable_fields(row, running)
        fields["uptodate"] = row.uptodate and not used.missing and used.versions == row.lexicon_versions
        return GazetteerRead(
            **fields,
            running=row.name in running,
            favorite=row.favorite,
            email_notification=row.email_notification,
            annotate_service=row.name if row.models else None,
            terms=row.terms,
            lexicons=list(used.versions),
            missing_lexicons=used.missing,
            foreign_model=state_of_foreign_model(row.project_id, KIND, row.id) if row.models else None,
        )

    return read


def list_gazetteers(call: ProjectCall, tags: Sequence[str]) -> list[GazetteerRead]:
    """Gazetteers, those with all the tags when some are given."""
    return gazetteers.read_all(call, tags, _reader(call))


def read_gazetteer(call: ProjectCall, name: str) -> GazetteerRead:
    """One gazetteer."""
    return gazetteers.read_one(call, name, _reader(call))


def create_gazetteer(call: ProjectCall, body: NewGazetteer) -> EngineName:
    """Create a gazetteer; it is not synchronised yet. Raises `InvalidInput` if it names a lexicon that is missing."""
    _check_lexicons(call, body.parameters)
    return gazetteers.create(call, body, email_notification=body.email_notification)


def update_gazetteer(call: ProjectCall, name: str, body: GazetteerPatch) -> GazetteerRead:
    """Change a gazetteer; new parameters mark it as outdated."""
    if body.parameters is not None:
        _check_lexicons(call, body.parameters)
    row = gazetteers.update(call, name, body)
    if body.favorite is not None:
        row.favorite = body.favorite
    if body.email_notification is not None:
        row.email_notification = body.email_notification
    return _reader(call)(row, gazetteers.training(call, [row]))


def _check_lexicons(call: ProjectCall, parameters: Mapping[str, Any]) -> None:
    missing = used_lexicons(parameters, lexicon_versions(call)).missing
    if missing:
        text = message("none.lexicon", "There is no lexicon {name} in this project", name=missing[0][:80])
        fix = message("fix.lexicon", "Choose one of the lexicons of the project")
        raise InvalidInput(text, fix=fix, details=[{"field": LEXICONS, "message": text}])


def delete_gazetteers(call: ProjectCall, names: Sequence[str]) -> DeleteResponse:
    """Delete gazetteers with their models, all or none. Their annotations stay.

    Raises:
        NotFound: a gazetteer does not exist. AccessDenied: the caller may not use the engine of one.
    """
    rows = [gazetteers.require(call, name) for name in dict.fromkeys(names)]
    for row in rows:
        if not may_use_component(call.access, KIND, row.engine):
            raise AccessDenied(
                "Authorization has been denied.",
                cause=message("denied.gazetteer", "You may not use the gazetteer engine {name}", name=row.engine),
            )
        gazetteers.delete(call, row)
    if any(row.models for row in rows):
        mark_dictionary_experiments_outdated(call)
    return DeleteResponse(removed_count=len(rows))


def synchronize(call: ProjectCall, name: str, *, annotate_corpus: bool, language: str = "en") -> Job:
    """Start the job that builds the matcher from the terms; if the gazetteer requests it, the caller gets an e-mail.

    Args:
        language: `Accept-Language` of the request.

    Raises:
        Conflict: it is being synchronised already. InvalidInput: a lexicon of its parameters does not exist any more.
    """
    row = gazetteers.require(call, name)
    require_component(call.access, KIND, row.engine)
    if annotate_corpus:
        call.access.require("annotateCorpus")
    _check_lexicons(call, row.parameters)
    if gazetteers.training(call, [row]):
        raise Conflict(
            message("synchronize.already", "{what} is already being synchronised", what=row.label),
            fix="Wait until it ends, or cancel it first",
        )
    job = gazetteers.start(
        call,
        row,
        type="SYNCHRONIZE_TERMS",
        function="synchronize_gazetteer",
        description=message("start.synchronize", "Synchronising {name}", name=row.label),
        parameters={"engine": row.engine, "annotate_corpus": annotate_corpus, "match": row.parameters},
        mail_in=mail_language(language, wanted=row.email_notification),
        annotate_corpus=annotate_corpus,
    )
    gazetteers.notify(call, name, "started")
    return job


def cancel(call: ProjectCall, name: str) -> None:
    """Cancel the synchronisation, if it runs; the former matcher stays."""
    gazetteers.cancel(call, gazetteers.require(call, name))
    gazetteers.notify(call, name, "cancelled")
