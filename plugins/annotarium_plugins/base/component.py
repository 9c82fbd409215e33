"""Base of every component: class attributes that describe it, its parameters, and a constructor without side
effects.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from typing import ClassVar, Generic, TypeVar

from annotarium_plugins.parameters import NoParameters, Parameters

P = TypeVar("P", bound=Parameters)

Nature = str
NATURES: tuple[Nature, ...] = ("sequence_labelling", "classification", "question_answering")

Progress = Callable[[int, int, str], None]
"""Called as `progress(step, total, message)`. Raises `Cancelled` when the job was cancelled."""


class Cancelled(Exception):
    """Raised through `progress` when the job was cancelled. Components must let it propagate."""


class ComponentError(Exception):
    """An expected failure. `cause` states why it happened and `fix` what the user can do; both are shown to
    the user.
    """

    def __init__(self, message: str, *, cause: str | None = None, fix: str | None = None) -> None:
        super().__init__(message)
        self.message, self.cause, self.fix = message, cause or message, fix


class ExtraMissing(ModuleNotFoundError):
    """Raise it at the top of a component's module when an optional package that it needs is not installed: the
    component is then listed with this reason, and `annotarium plugins check` warns instead of failing.

    Args:
        reason: what is not installed; people read it in the settings, translated by `missing` in the locale files.
        title, description: those of the component, which people read in lists; translated by its locale files.
        command: what installs it; shown only by commands of those who run the server.
    """

    def __init__(self, reason: str, *, title: str = "", description: str = "", command: str = "") -> None:
        super().__init__(f"{reason} ({command})" if command else reason)
        self.reason, self.title, self.description = reason, title, description


def no_progress(step: int, total: int, message: str) -> None:
    """A `Progress` that does nothing."""


class Component(ABC, Generic[P]):
    """Base of all kinds. Construction must be cheap and do no I/O; expensive work belongs in the methods of the kind.

    An entry point names the class (`package.module:Class`, group of its kind in `kinds.py`). The API process imports
    that module to describe the component, so heavy libraries must be imported inside methods (they are listed in
    `heavy.py`).

    Class attributes:
        title: English name that users see; translations come from `locales/<lang>.json` next to the module.
        description: one sentence.
        parameters_model: the pydantic model of the parameters.
        languages: language codes it supports; empty = all.
        natures: project natures it supports.
        version: changes whenever results change; stored with models.
    """

    title: ClassVar[str] = ""
    description: ClassVar[str] = ""
    parameters_model: ClassVar[type[Parameters]] = NoParameters
    languages: ClassVar[tuple[str, ...]] = ()
    natures: ClassVar[tuple[Nature, ...]] = NATURES
    version: ClassVar[str] = "1"

    def __init__(self, parameters: P) -> None:
        self.parameters = parameters

    @classmethod
    def missing_setting(cls) -> str:
        """Return the environment variable that an administrator has to set before the component can be used, empty if
        none is missing. It is then listed as unavailable, with its title and this name.
        """
        return ""

    @classmethod
    def import_libraries(cls) -> None:
        """Import the libraries that `load` and the methods after it need. Called before a process that runs a model
        from elsewhere drops its rights: override it for libraries that look for programs or write files when imported.
        """
