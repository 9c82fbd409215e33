"""Imports one component class and checks it against the contract of its kind."""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.metadata import EntryPoint

from annotarium_plugins.base.component import Component, ExtraMissing
from annotarium_plugins.kinds import Kind
from annotarium_plugins.parameters import Parameters

AnyComponent = Component[Parameters]


class UnloadableComponent(Exception):
    """The component cannot be used; the text states why.

    `missing`: its optional package is not installed.
    """

    missing: ExtraMissing | None = None

    @property
    def optional(self) -> bool:
        """Whether an optional package is all that it lacks."""
        return self.missing is not None


def load_object(point: EntryPoint) -> object:
    """Load what the entry point refers to.

    Raises:
        UnloadableComponent: the import failed, even if the plugin asserts or exits at import.
    """
    try:
        loaded: object = point.load()
    except KeyboardInterrupt:
        raise
    except ModuleNotFoundError as error:
        refusal = UnloadableComponent(f"{error}. Install the package or the extra that brings it")
        refusal.missing = error if isinstance(error, ExtraMissing) else None
        raise refusal from error
    except BaseException as error:  # includes AssertionError and SystemExit: it is third-party code
        raise UnloadableComponent(f"Importing {point.value} failed: {type(error).__name__}: {error}") from error
    return loaded


def load_class(point: EntryPoint, kind: Kind) -> type[AnyComponent]:
    """Load the component class of an entry point of a kind.

    Raises:
        UnloadableComponent: it cannot be imported, is not a class of the kind, lacks methods or has no parameter model.
    """
    loaded = load_object(point)
    base = _base_class_of_kind(kind)
    if not inspect.isclass(loaded) or not issubclass(loaded, base):
        raise UnloadableComponent(f"{point.value} is not a {base.__name__}")
    missing = sorted(getattr(loaded, "__abstractmethods__", ()))
    if missing:
        raise UnloadableComponent(f"{point.value} does not implement {', '.join(missing)}")
    model = loaded.parameters_model
    if not inspect.isclass(model) or not issubclass(model, Parameters):
        raise UnloadableComponent(f"parameters_model of {point.value} is not a Parameters class")
    return loaded


def missing_setting(cls: type[AnyComponent]) -> str:
    """The setting without which the component cannot be used here, empty if none is missing.

    Raises:
        UnloadableComponent: the component's answer fails, or is no text.
    """
    try:
        name = cls.missing_setting()
    except Exception as error:
        raise UnloadableComponent(f"missing_setting of {cls.__name__} failed: {error}") from error
    if not isinstance(name, str):
        raise UnloadableComponent(f"missing_setting of {cls.__name__} does not return a text")
    return name


def _base_class_of_kind(kind: Kind) -> type[AnyComponent]:
    module, _, name = kind.base.partition(":")
    base: type[AnyComponent] = getattr(import_module(module), name)
    return base
