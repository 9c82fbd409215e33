"""What the registry tells about components: rows, descriptions, entry points."""

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
        name: name of the component, stable for ever.
        distribution: the installed distribution that brings it.
        version: version of that distribution.
        state: `unavailable` is known without an import for a wrong name, a name used twice or an API version not
            accepted; for an import that fails it is known once somebody described the component.
        reason: why it is not available, for a person; empty when it is.
        optional: it is not available because a package was not installed that nobody has to install.
    """

    kind: str
    name: str
    distribution: str
    version: str
    state: State = "available"
    reason: str = ""
    optional: bool = False


@dataclass(frozen=True)
class ComponentDescription:
    """What a form, a list or a service record shows of a component.

    Attributes:
        info: its row; when the state is not `available` the other fields are empty.
        title, description: in the language asked for, English otherwise.
        languages: codes it works for, empty = all.
        natures: project natures it works for.
        extensions: file extensions it reads (converter, term importer) or writes (formatter), without the dot.
        content_type: of what a formatter writes; None otherwise.
        component_version: changes when results change.
        by_default: a processor or language guesser that proposes itself for new plans.
        needs_labels: False for a learner that finds topics in texts nobody annotated.
        parameters_schema: JSON Schema ready for a form: references inlined, optional fields without `null`.
        ui_schema: form hints in RJSF's words.
        defaults: the parameters a new form starts with.
    """

    info: ComponentInfo
    title: str = ""
    description: str = ""
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
    """An entry point with the distribution that declares it, and the reason it is refused (empty = accepted)."""

    point: EntryPoint
    distribution: str
    version: str
    refusal: str = ""
