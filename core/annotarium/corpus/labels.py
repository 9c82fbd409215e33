"""Labels that an import needs: found by name, by words, or created in the project's default set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from annotarium.corpus import repository
from annotarium.corpus.palette import next_color
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Label, LabelSet, Project

DEFAULT_SET = "default"


class LabelKey(NamedTuple):
    """How an imported annotation names its label: at least one part is given."""

    name: str | None = None
    label: str | None = None
    identifier: str | None = None


def ensure_default_set(session: Session, project: Project, actor: str) -> LabelSet:
    """The project's set `default`, created when it is missing."""
    label_set = repository.find_label_set(session, project.id, DEFAULT_SET)
    if label_set is None:
        label_set = LabelSet(
            id=new_id(),
            project_id=project.id,
            name=DEFAULT_SET,
            label="Default",
            nature=project.nature,
            exclusive_classes=project.nature == "classification" and project.exclusive_classes,
            created_by=actor,
            modified_by=actor,
        )
        session.add(label_set)
        session.flush()
    return label_set


def label_slug(words: str) -> str:
    """Stable name of a label, derived from its words."""
    from slugify import slugify  # 4 MB that wait for the first name made of words

    return slugify(words, separator="_", lowercase=True, allow_unicode=True)[:255] or "label"


def ensure_labels(session: Session, project: Project, keys: Iterable[LabelKey], actor: str) -> dict[LabelKey, Label]:
    """The label of each key; missing ones are created in the default set, a deleted one is revived.

    A key is matched by `name`, else by `label` (the words), else by `identifier`. Creation keeps a given name as it is
    and takes the next least-used colour of the palette.
    """
    wanted = list(dict.fromkeys(keys))
    if not wanted:
        return {}
    rows = repository.list_labels(session, project.id)
    by_name, by_words, by_identifier = _tables(rows)
    colors = [row.color for row in rows if row.deleted_at is None]
    found: dict[LabelKey, Label] = {}
    for key in wanted:
        row = _match(key, by_name, by_words, by_identifier)
        if row is None or row.deleted_at is not None:
            row = _create(session, project, key, row, colors, actor)
            by_name[row.name] = row
            by_words.setdefault(row.label, row)
            if row.identifier:
                by_identifier.setdefault(row.identifier, row)
        found[key] = row
    session.flush()
    return found


def names_of_labels(session: Session, project: Project, keys: Iterable[LabelKey]) -> dict[LabelKey, str]:
    """Names of the live labels that keys mean, matched as `ensure_labels` does; keys of others are left out."""
    tables = _tables(repository.list_labels(session, project.id))
    found = {key: _match(key, *tables) for key in keys}
    return {key: row.name for key, row in found.items() if row is not None and row.deleted_at is None}


def missing_labels(session: Session, project: Project, keys: Iterable[LabelKey]) -> dict[str, str]:
    """Labels that `ensure_labels` would create or revive: words by name."""
    tables = _tables(repository.list_labels(session, project.id))
    missing: dict[str, str] = {}
    for key in keys:
        row = _match(key, *tables)
        if row is None or row.deleted_at is not None:
            words = key.label or key.name or key.identifier or ""
            missing.setdefault(key.name or label_slug(words), words[:255])
    return missing


_Table = dict[str, Label]


def _tables(rows: Sequence[Label]) -> tuple[_Table, _Table, _Table]:
    """Labels by name, live ones by their words and by their identifier: the oldest of each."""
    live = [row for row in reversed(rows) if row.deleted_at is None]
    by_identifier = {row.identifier: row for row in live if row.identifier}
    return {row.name: row for row in rows}, {row.label: row for row in live}, by_identifier


def _match(key: LabelKey, by_name: _Table, by_words: _Table, by_identifier: _Table) -> Label | None:
    if key.name:
        return by_name.get(key.name)
    if key.label:
        return by_words.get(key.label) or by_name.get(label_slug(key.label))
    return by_identifier.get(key.identifier or "") or by_name.get(label_slug(key.identifier or ""))


def _create(
    session: Session, project: Project, key: LabelKey, deleted: Label | None, colors: list[str], actor: str
) -> Label:
    words = key.label or key.name or key.identifier or ""
    label_set = ensure_default_set(session, project, actor)
    if deleted is None:
        label = Label(id=new_id(), project_id=project.id, name=key.name or label_slug(words), created_by=actor)
        session.add(label)
    else:
        label = deleted
        label.version += 1
        label.deleted_at = label.deleted_by = None
    label.label, label.color, label.identifier = words[:255], next_color(colors), key.identifier
    label.label_set_id, label.guideline = label_set.id, ""
    label.modified_by, label.modified_at = actor, now_ms()
    colors.append(label.color)
    return label
