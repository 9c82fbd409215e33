"""Data of the registry about components: rows, descriptions, entry points."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import EntryPoint
from typing import Any, Literal

State = Literal["available", "disabled", "unavailable"]


@dataclass(frozen=True)
class ComponentInfo:
    """One row of the component list.

    Attributes:
        kind: name of the kind (`languageGuesser`).
        name: permanent name of the component.
        distribution: the installed distribution that contains it.
        version: version of that distribution.
        state: `unavailable` for an invalid name, a duplicate name or an API version that is not accepted is known
            without
            an import; for an import that fails, only after the component was described.
        reason: why it is not available, for display; empty if it is.
        optional: it is unavailable because an optional package is not installed or a setting is missing.
        missing_setting: environment variable that it lacks.
    """

    kind: str
    name: str
    distribution: str
    version: str
    state: State = "available"
    reason: str = ""
    optional: bool = False
    missing_setting: str = ""


@dataclass(frozen=True)
class ComponentDescription:
    """What forms, lists and service records show about a component.

    Attributes:
        info: its row; if the state is not `available` the other fields are empty, unless only a setting is missing;
            if only a package is missing, title and description are known.
        title, description: in the requested language, otherwise English.
        missing: which optional package is not installed, likewise; without the command that installs it.
        languages: codes of the languages it supports, empty = all.
        natures: project natures it supports.
        extensions: file extensions it reads (converter, term importer) or writes (formatter), without the dot.
        content_type: of a formatter's output; None otherwise.
        component_version: changes when results change.
        by_default: a processor or language guesser that is preselected in new plans.
        needs_labels: False for a learner that finds topics in unlabelled texts, and for an untrained suggester.
        parameters_schema: JSON Schema for a form: references inlined, optional fields without `null`.
        ui_schema: form hints in RJSF's terms.
        defaults: initial parameters of a form.
    """

    info: ComponentInfo
    title: str = ""
    description: str = ""
    missing: str = ""
    languages: tuple[str, ...] = ()
    natures: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    content_type: str | None = None
    component_version: str = ""
    by_default: bool = False
    needs_labels: bool = True
    parameters_schema: dict[str, Any] = field(default_factory=dict)
    ui_schema: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ComponentEntryPoint:
    """An entry point, the distribution that declares it, and the reason why it is refused (empty = accepted)."""

    point: EntryPoint
    distribution: str
    version: str
    refusal: str = ""
