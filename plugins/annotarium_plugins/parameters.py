"""Parameters of a component: declared once in pydantic, drawn as a form, validated by the server.

Hints come from a closed list (`HINTS`); an unknown hint is drawn as a plain input. Write them with `hint(...)`:

    class CrfLearnerParameters(Parameters):
        iterations: int = Field(50, ge=1, le=500, title="Iterations", json_schema_extra=hint(advanced=True))
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Widget = Literal["label", "labels", "color", "code", "password", "textarea", "slider", "lexicons"]
HINTS = ("x-widget", "x-advanced", "x-unit")


class Parameters(BaseModel):
    """Base of every parameter model. Names are snake_case and travel as they are."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class NoParameters(Parameters):
    """For a component without settings."""


def hint(*, widget: Widget | None = None, advanced: bool = False, unit: str | None = None) -> dict[str, Any]:
    """Form hints of one field, for `Field(json_schema_extra=...)`."""
    hints: dict[str, Any] = {}
    if widget:
        hints["x-widget"] = widget
    if advanced:
        hints["x-advanced"] = True
    if unit:
        hints["x-unit"] = unit
    return hints


def number_field(
    default: float,
    low: float,
    high: float,
    *,
    title: str,
    description: str,
    advanced: bool = False,
    unit: str = "",
    widget: Widget | None = None,
) -> Any:
    """A number between two bounds, both allowed; integer or float as the field is annotated."""
    extra = hint(widget=widget, advanced=advanced, unit=unit or None) or None
    return Field(default, ge=low, le=high, title=title, description=description, json_schema_extra=extra)
