"""Finds the labels that an import needs by name or by text, or creates them in the project's default set."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.content import repository
from annotarium.content.palette import next_color
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import CLASSIFICATION, Label, LabelSet, Project
from annotarium.db.row_marks import mark_restored
from annotarium.errors import AccessDenied
from annotarium_schemas.messages import message

DEFAULT_SET = "default"
LABELS_MAX = 10_000
"""Live labels per project up to which imports create new ones. Without it a file of labels could create millions."""


class LabelKey(NamedTuple):
    """How an imported annotation refers to its label; at least one field is set."""

    name: str | None = None
    label: str | None = None
    identifier: str | None = None


def ensure_default_set(session: Session, project: Project, actor: str) -> LabelSet:
    """Return the project's label set `default`; it is created when it is missing."""
    label_set = repository.find_label_set(session, project.id, DEFAULT_SET)
    if label_set is None:
        label_set = LabelSet(
            id=new_id(),
            project_id=project.id,
            name=DEFAULT_SET,
            label="Default",
            nature=project.nature,
            exclusive_classes=project.nature == CLASSIFICATION and project.exclusive_classes,
            created_by=actor,
            modified_by=actor,
        )
        session.add(label_set)
        session.flush()
    return label_set


def label_slug(text: str) -> str:
    """Return the stable name derived from a label's text."""
    from slugify import slugify  # imported late, because it takes 4 MB

    return slugify(text, separator="_", lowercase=True, allow_unicode=True)[:255] or "label"


# Separators between words, which may be written differently. Other signs are significant (C, C++, C#; A, A-; thumb up
# or down): such labels have the same slug, but are different labels.
_SEPARATORS = re.compile(r"(?<=\w)[\s\-_'\u2019.,;:/()&]+(?=\w)|_+(?=\w)|(?<=\w)_+")


def normalize_spelling(text: str) -> str:
    """Return a common form of all spellings of a label: `Birth date` equals `birth_date`, `C` differs from `C++`."""
    return _SEPARATORS.sub(" ", unicodedata.normalize("NFKC", text).casefold().strip()).strip()


def unused_label_name(text: str, taken: Container[str]) -> str:
    """Return a name for a new label of this text. A number is appended where a different label has the same slug."""
    base, number = label_slug(text), 2
    name = base
    while name in taken:
        name, number = f"{base[:240]}_{number}", number + 1
    return name


def new_label_name_for_text(session: Session, project: Project, text: str) -> str:
    """Return the name for a new label of this text: that of an existing label of the same text, else an unused one."""
    index = _index(repository.list_labels(session, project.id))
    same = index.by_spelling.get(normalize_spelling(text))
    if same is not None:
        return same.name
    named = index.by_name.get(label_slug(text))
    if named is not None and (named.deleted_at is not None or _is_spelling_of_label(named, text)):
        return named.name
    return unused_label_name(text, index.by_name)


def label_name_in_existing_spelling(session: Session, project: Project, name: str) -> str:
    """Return the name of the existing label that this name refers to in any spelling, else the slug of the name."""
    row = _match(LabelKey(name), _index(repository.list_labels(session, project.id)))
    return row.name if row is not None else label_slug(name)


def ensure_labels(session: Session, project: Project, keys: Iterable[LabelKey], actor: str) -> dict[LabelKey, Label]:
    """Return the label of each key; missing labels are created in the default set, deleted ones are restored.

    A key is matched by its `name`, first exactly, then by spelling (`IMP` is the label named `imp` with the text IMP).
    Without a name it is matched by `label`, the text, in any spelling; else by `identifier`. A new label keeps a name
    that the key has, and gets the least-used colour of the palette. Keys for which the project has no room
    (`LABELS_MAX`) are absent from the result.
    """
    requested = list(dict.fromkeys(keys))
    if not requested:
        return {}
    rows = repository.list_labels(session, project.id)
    index = _index(rows)
    colors = Counter(row.color.upper() for row in rows if row.deleted_at is None)
    found: dict[LabelKey, Label] = {}
    for key in requested:
        row = _match(key, index)
        if row is None or row.deleted_at is not None:
            if colors.total() >= LABELS_MAX:
                continue
            name = row.name if row is not None else key.name or unused_label_name(_display_text(key), index.by_name)
            row = _create_or_revive_label(session, project, key, name, row, colors, actor)
            index.add(row)
        found[key] = row
    session.flush()
    return found


def label_names_by_key(session: Session, project: Project, keys: Iterable[LabelKey]) -> dict[LabelKey, str]:
    """Return the names of the live labels that keys match, as in `ensure_labels`; other keys are absent."""
    index = _index(repository.list_labels(session, project.id))
    found = {key: _match(key, index) for key in keys}
    return {key: row.name for key, row in found.items() if row is not None and row.deleted_at is None}


def missing_labels(
    session: Session, project: Project, keys: Iterable[LabelKey], before: Mapping[str, str]
) -> dict[str, str]:
    """Return the texts by name of the labels that `ensure_labels` would create or restore, added to those of `before`.

    `before` is the result for earlier batches.
    """
    index = _index(repository.list_labels(session, project.id))
    missing = dict(before)
    for name, text in before.items():
        index.add(Label(name=name, label=text))
    for key in keys:
        row = _match(key, index)
        if row is None or row.deleted_at is not None:
            text = _display_text(key)
            name = row.name if row is not None else key.name or unused_label_name(text, index.by_name)
            missing.setdefault(name, text)
            index.add(Label(name=name, label=text, identifier=key.identifier))
    return missing


class LabelsByName(dict[str, Label]):
    """Live labels by name, for the output of an annotator or a step of a plan. `get` also finds other spellings."""

    def __init__(self, rows: Sequence[Label]) -> None:
        super().__init__({row.name: row for row in rows})
        self._index = _index(rows)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the label of that name, else the one with the same spelling."""
        return super().get(name) or (_find_by_spelling(name[:255], self._index) if name else None) or default


def _display_text(key: LabelKey) -> str:
    return (key.label or key.name or key.identifier or "")[:255]


class _LabelIndex(NamedTuple):
    """Labels by name; live labels by text, spelling and identifier, the oldest of each."""

    by_name: dict[str, Label]
    by_text: dict[str, Label]
    by_spelling: dict[str, Label]
    by_identifier: dict[str, Label]

    def add(self, row: Label) -> None:
        """Add a new or restored label. In `by_text`, `by_spelling` and `by_identifier` existing entries stay."""
        self.by_name[row.name] = row
        self.by_text.setdefault(row.label, row)
        self.by_spelling.setdefault(normalize_spelling(row.label), row)
        if row.identifier:
            self.by_identifier.setdefault(row.identifier, row)


def _index(rows: Sequence[Label]) -> _LabelIndex:
    index = _LabelIndex({row.name: row for row in rows}, {}, {}, {})
    for row in rows:
        if row.deleted_at is None:
            index.add(row)
    return index


def _match(key: LabelKey, index: _LabelIndex) -> Label | None:
    if key.name:
        return _find_by_name(key.name, key.label, index)
    if key.label:
        # Label texts are stored with 255 characters.
        return index.by_text.get(key.label[:255]) or _find_by_spelling(key.label[:255], index)
    return index.by_identifier.get(key.identifier or "") or _find_by_spelling(key.identifier or "", index)


def _find_by_name(name: str, text: str | None, index: _LabelIndex) -> Label | None:
    """Return the label of that name, else the live one with the same spelling, unless the key has a different text.

    A deleted label of that name is only returned when no live one matches.
    """
    row = index.by_name.get(name)
    if row is not None and row.deleted_at is None:
        return row
    other = _find_by_spelling(name[:255], index)
    if (
        other is not None
        and text
        and normalize_spelling(text[:255]) not in (normalize_spelling(other.label), normalize_spelling(other.name))
    ):
        other = None
    return other or row


def _find_by_spelling(text: str, index: _LabelIndex) -> Label | None:
    """Return the live label with the same spelling; a renamed label is also found by its old text, from its name."""
    found = index.by_spelling.get(normalize_spelling(text))
    if found is not None:
        return found
    named = index.by_name.get(label_slug(text))
    return named if named is not None and named.deleted_at is None and _is_spelling_of_label(named, text) else None


def _is_spelling_of_label(row: Label, text: str) -> bool:
    """Return whether this is a spelling of the label's text, or of its name where the name is not derived from the
    text.

    The name `c` was derived from the text C++, so it is not a spelling of C.
    """
    same = normalize_spelling(text)
    return same == normalize_spelling(row.label) or (
        same == normalize_spelling(row.name) and label_slug(row.label) != row.name
    )


def _create_or_revive_label(
    session: Session,
    project: Project,
    key: LabelKey,
    name: str,
    deleted: Label | None,
    colors: Counter[str],
    actor: str,
) -> Label:
    text = _display_text(key)
    label_set = ensure_default_set(session, project, actor)
    if deleted is None:
        label = Label(id=new_id(), project_id=project.id, name=name, created_by=actor)
        session.add(label)
    else:
        label = deleted
        mark_restored(label)
    label.label, label.color, label.identifier = text, next_color(colors), key.identifier
    label.label_set_id, label.guideline = label_set.id, ""
    label.modified_by, label.modified_at = actor, now_ms()
    colors[label.color] += 1
    return label


def require_label_writing(call: ProjectCall) -> None:
    """Raise `AccessDenied` unless the caller may (still) write labels."""
    if not call.access.can("writeLabel"):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.writeLabel", "You do not have the permission writeLabel"),
        )
