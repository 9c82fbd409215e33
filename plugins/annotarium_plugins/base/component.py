"""What every component has: facts as class attributes, parameters, a light constructor."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from typing import ClassVar, Generic, TypeVar

from annotarium_plugins.parameters import NoParameters, Parameters

P = TypeVar("P", bound=Parameters)

Nature = str
NATURES: tuple[Nature, ...] = ("sequence_labelling", "classification", "question_answering")

Progress = Callable[[int, int, str], None]
"""Called as `progress(step, total, message)`; it raises `Cancelled` when the job was cancelled."""


class Cancelled(Exception):
    """Raised through `progress` when somebody cancelled the job: let it pass."""


class ComponentError(Exception):
    """A failure a component can explain. `cause` says why, `fix` what to do; both are shown to the user."""

    def __init__(self, message: str, *, cause: str | None = None, fix: str | None = None) -> None:
        super().__init__(message)
        self.message, self.cause, self.fix = message, cause or message, fix


class ExtraMissing(ModuleNotFoundError):
    """Raise it at the top of a component's module when the package it needs is left to the administrator's choice: the
    component is a row with this reason, and `annotarium plugins check` warns instead of failing."""


def no_progress(step: int, total: int, message: str) -> None:
    """A `Progress` that does nothing."""


class Component(ABC, Generic[P]):
    """Base of all kinds. Construction is cheap and does no I/O: heavy work starts in the kind's verb.

    An entry point names the class (`package.module:Class`, group of its kind in `kinds.py`). The API process imports
    that module to describe the component, so heavy libraries are imported inside methods (list in `heavy.py`).

    Class attributes:
        title: shown name, English; translations come from `locales/<lang>.json` beside the class.
        description: one sentence.
        parameters_model: the pydantic model of the parameters.
        languages: codes it works for; empty = all.
        natures: project natures it works for.
        version: changes when results change; stored with models.
    """

    title: ClassVar[str] = ""
    description: ClassVar[str] = ""
    parameters_model: ClassVar[type[Parameters]] = NoParameters
    languages: ClassVar[tuple[str, ...]] = ()
    natures: ClassVar[tuple[Nature, ...]] = NATURES
    version: ClassVar[str] = "1"

    def __init__(self, parameters: P) -> None:
        self.parameters = parameters
