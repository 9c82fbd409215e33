"""The registry: lists, describes, validates and builds components of all kinds.

Listing imports nothing, describing imports one lightweight module, building happens in workers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from threading import RLock
from typing import Any

import structlog
from pydantic import ValidationError

from annotarium.errors import InvalidInput, NotFound, ServiceUnavailable
from annotarium.registry.component_info import ComponentDescription, ComponentEntryPoint, ComponentInfo
from annotarium.registry.descriptions import describe_class, translate_description
from annotarium.registry.entry_points import read_groups
from annotarium.registry.loading import AnyComponent, UnloadableComponent, load_class, load_object, missing_setting
from annotarium.registry.locales import package_texts_or_empty
from annotarium.registry.messages import component_not_available, component_not_installed, component_not_started
from annotarium.settings import get_settings
from annotarium.system.validation_messages import validation_message
from annotarium_plugins.kinds import HOOKS_GROUP, KIND_BY_NAME, KINDS, Kind
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.messages import message

log = structlog.get_logger(__name__)
Key = tuple[str, str]
Rows = list[ComponentInfo]
Names = list[str]
HookModules = list[tuple[ComponentInfo, object | None]]


@dataclass
class _RegisteredComponent:
    """A component: its entry point and, once loaded, its class and description."""

    info: ComponentInfo
    entry: ComponentEntryPoint
    cls: type[AnyComponent] | None = None
    description: ComponentDescription | None = None


_DISABLED = message("component.bySettings", "Disabled in the settings of this server")


class Registry:
    """Components found through entry points. Thread-safe; the entry points are read once, by the constructor.

    Args:
        disabled: `kind:name` of components that are listed but cannot be used.
    """

    def __init__(self, disabled: Iterable[str] = ()) -> None:
        self._disabled = frozenset(disabled)
        self._lock = RLock()
        self._rows: dict[Key, _RegisteredComponent] = {}
        self._refused: Rows = []
        entries = read_groups([*(kind.group for kind in KINDS), HOOKS_GROUP])
        self._hook_entries = entries[HOOKS_GROUP]
        for kind in KINDS:
            for entry in entries[kind.group]:
                self._add(kind, entry)

    def _add(self, kind: Kind, entry: ComponentEntryPoint) -> None:
        name = entry.point.name
        info = ComponentInfo(kind.name, name, entry.distribution, entry.version)
        if entry.refusal:
            info = replace(info, state="unavailable", reason=entry.refusal)
        elif f"{kind.name}:{name}" in self._disabled:
            info = replace(info, state="disabled", reason=_DISABLED)
        known = self._rows.get((kind.name, name))
        if known is None or known.entry.refusal:
            if known is not None:
                self._refused.append(known.info)
            self._rows[kind.name, name] = _RegisteredComponent(info, entry)
        else:
            self._refused.append(info)

    def list(self, kind: str | None = None) -> Rows:
        """Rows of one kind or of all, sorted by kind, name and distribution. Imports nothing.

        Raises:
            NotFound: no such kind.
        """
        if kind is not None:
            _find_kind(kind)
        rows = [row.info for row in self._rows.values()] + self._refused
        order = {known.name: position for position, known in enumerate(KINDS)}
        rows.sort(key=lambda info: (order[info.kind], info.name, info.distribution))
        return [info for info in rows if kind is None or info.kind == kind]

    def names(self, kind: str) -> Names:
        """Sorted names of the available components of a kind. Imports nothing.

        Raises:
            NotFound: no such kind.
        """
        return sorted({info.name for info in self.list(kind) if info.state == "available"})

    def permission(self, kind: str, name: str) -> str:
        """The permission required to use a component (`useSegmenter:<name>`), installed or not.

        Raises:
            NotFound: no such kind.
        """
        return f"{_find_kind(kind).permission}:{name}"

    def info(self, kind: str, name: str) -> ComponentInfo:
        """The row of a component.

        Raises:
            NotFound: no such kind or component.
        """
        return self._row(kind, name).info

    def describe(self, kind: str, name: str, language: str = "en") -> ComponentDescription:
        """The description in a language of the interface. For a component that fails, it contains only the row; for one
        that lacks a package, also title and description; for one that lacks a setting, all.

        Raises:
            NotFound: no such kind or component.
        """
        row = self._load(kind, name)
        if row.description is None:
            return ComponentDescription(info=row.info)
        if row.cls is None:
            package = row.entry.point.module.rpartition(".")[0]
            texts = package_texts_or_empty(package, name, language)
            return replace(
                row.description,
                title=texts.title or row.description.title,
                description=texts.description or row.description.description,
                missing=texts.missing or row.description.missing,
            )
        return translate_description(row.description, row.cls, language)

    def validate(self, kind: str, name: str, parameters: dict[str, Any], *, trained: bool = False) -> Parameters:
        """Validate parameters; returns the component's parameter model with defaults filled in.

        Args:
            trained: they are those of a trained model, which may have been trained with what this server no longer
                offers. Validators see it as `trained` in their context.

        Raises:
            NotFound: no such kind or component.
            ServiceUnavailable: the component is disabled or broken.
            InvalidInput: `details` contain `{field, message}` with a dotted field (`rules.0.pattern`).
        """
        cls = self._class(kind, name)
        try:
            return cls.parameters_model.model_validate(parameters, context={"trained": trained})
        except ValidationError as error:
            details = [
                {"field": _dotted_field_path(item["loc"]), "message": validation_message(item)}
                for item in error.errors()
            ]
            words = message("component.parameters", "The parameters of {name} are not valid", name=cls.title or name)
            raise InvalidInput(words, details=details) from error

    def build(self, kind: str, name: str, parameters: dict[str, Any], *, trained: bool = False) -> AnyComponent:
        """Build a component. Arguments and errors as in `validate`; ServiceUnavailable if its constructor fails too."""
        validated = self.validate(kind, name, parameters, trained=trained)
        try:
            return self._class(kind, name)(validated)
        except Exception as error:
            cause = f"{type(error).__name__}: {error}"
            raise ServiceUnavailable(component_not_started(kind, name), cause=cause) from error

    def list_without_setting(self, kind: str, language: str = "en") -> Sequence[ComponentDescription]:
        """Descriptions of the components of a kind that only lack a setting. Imports their modules.

        Raises:
            NotFound: no such kind.
        """
        described = (self.describe(info.kind, info.name, language) for info in self.list(kind))
        return [one for one in described if one.info.missing_setting]

    def missing_setting(self, kind: str, name: str) -> str:
        """The setting that a component lacks; empty for none, and for an unknown component."""
        return self._load(kind, name).info.missing_setting if (kind, name) in self._rows else ""

    def learns_from_labels(self, kind: str, name: str) -> bool | None:
        """Whether an available component is trained on what people annotate; None if it is not available."""
        row = self._load(kind, name) if (kind, name) in self._rows else None
        if row is None or row.info.state != "available" or row.description is None:
            return None
        return row.description.needs_labels

    def require_setting(self, kind: str, name: str) -> None:
        """Raise `ServiceUnavailable` if the component exists and lacks a setting."""
        if self.missing_setting(kind, name):
            raise _unavailable(self.info(kind, name))

    def component_class(self, kind: str, name: str) -> type[AnyComponent]:
        """The class of a component, for attributes that descriptions lack. Errors as in `validate`."""
        return self._class(kind, name)

    def hook_modules(self) -> HookModules:
        """Hook modules of all distributions with their rows (kind `hook`); None for one that cannot be loaded."""
        modules: HookModules = []
        for entry in self._hook_entries:
            info = ComponentInfo("hook", entry.point.name, entry.distribution, entry.version)
            module: object | None = None
            if entry.refusal:
                info = replace(info, state="unavailable", reason=entry.refusal)
            elif f"hook:{info.name}" in self._disabled:
                info = replace(info, state="disabled", reason=_DISABLED)
            else:
                try:
                    module = load_object(entry.point)
                except UnloadableComponent as error:
                    info = replace(info, state="unavailable", reason=str(error))
            modules.append((info, module))
        return modules

    def _row(self, kind: str, name: str) -> _RegisteredComponent:
        _find_kind(kind)
        row = self._rows.get((kind, name))
        if row is None:
            raise NotFound(
                component_not_installed(kind, repr(name)), fix=message("fix.installed", "Choose an installed component")
            )
        return row

    def _load(self, kind: str, name: str) -> _RegisteredComponent:
        row = self._row(kind, name)
        with self._lock:
            if row.info.state == "available" and row.description is None:
                try:
                    cls = load_class(row.entry.point, _find_kind(kind))
                    setting = missing_setting(cls)
                    if setting:
                        words = message("component.setting", "The setting {name} is missing", name=setting)
                        row.info = replace(
                            row.info, state="unavailable", reason=words, optional=True, missing_setting=setting
                        )
                    row.description = describe_class(cls, row.info)
                    row.cls = cls
                except UnloadableComponent as error:
                    log.warning("registry.component_unavailable", kind=kind, name=name, reason=str(error))
                    row.info = replace(row.info, state="unavailable", reason=str(error), optional=error.optional)
                    if error.missing is not None:
                        absent = error.missing
                        row.description = ComponentDescription(
                            info=row.info, title=absent.title, description=absent.description, missing=absent.reason
                        )
        return row

    def _class(self, kind: str, name: str) -> type[AnyComponent]:
        row = self._load(kind, name)
        if row.cls is None or row.info.state != "available":
            raise _unavailable(row.info)
        return row.cls


def _unavailable(info: ComponentInfo) -> ServiceUnavailable:
    """The error for whoever uses the component; what to install or to set is for administrators only."""
    cause: str = info.reason
    fix = message("fix.enableIt", "Ask an administrator to enable or repair it, or choose another one")
    if info.missing_setting:
        cause = message("component.notSetUp", "This server is not set up for it")
        fix = message("fix.setUp", "Ask an administrator to set it up, or choose another one")
    elif info.optional:
        cause = message("component.notHere", "It is not installed on this server")
        fix = message("fix.installIt", "Ask those who run the server to install it, or choose another one")
    return ServiceUnavailable(component_not_available(info.kind, info.name, info.state), cause=cause, fix=fix)


def _find_kind(name: str) -> Kind:
    kind = KIND_BY_NAME.get(name)
    if kind is None:
        raise NotFound(
            message("none.kind", "There is no component kind {name}", name=name),
            fix=f"Use one of {', '.join(KIND_BY_NAME)}",
        )
    return kind


def _dotted_field_path(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location)


@lru_cache(maxsize=1)
def get_registry() -> Registry:
    """The registry of this process, created from the settings at first use."""
    return Registry(get_settings().disabled_components)
