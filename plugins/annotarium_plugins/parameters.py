"""Parameters of a component: declared once as a pydantic model, shown as a form, validated by the server.

Form hints come from a closed list (`HINTS`); a field with an unknown hint is shown as a plain input. Create them with
`hint(...)`:

    class CrfLearnerParameters(Parameters):
        iterations: int = Field(50, ge=1, le=500, title="Iterations", json_schema_extra=hint(advanced=True))
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Widget = Literal[
    "label", "labels", "color", "code", "password", "textarea", "slider", "lexicons", "learner", "reranker"
]
HINTS = ("x-widget", "x-advanced", "x-unit", "x-applies-when", "x-parameters-of")
AppliesWhen = dict[str, list[str | int | bool]]
"""Other fields with the values for which a field has an effect: `{"algorithm": ["lbfgs"]}`."""


class Parameters(BaseModel):
    """Base of every parameter model. Names are snake_case and travel as they are."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class NoParameters(Parameters):
    """For a component without settings."""


def advanced_number(
    default: float,
    least: float,
    most: float,
    *,
    title: str,
    description: str | None = None,
    unit: str | None = None,
    applies_when: AppliesWhen | None = None,
) -> Any:
    """A field for a number from `least` to `most`, both allowed, among the advanced settings of the form."""
    return Field(
        default,
        ge=least,
        le=most,
        title=title,
        description=description,
        json_schema_extra=hint(advanced=True, unit=unit, applies_when=applies_when),
    )


def hint(
    *,
    widget: Widget | None = None,
    advanced: bool = False,
    unit: str | None = None,
    applies_when: AppliesWhen | None = None,
    parameters_of: str | None = None,
) -> dict[str, Any]:
    """Return form hints of one field, for `Field(json_schema_extra=...)`.

    Args:
        applies_when: the form hides the field unless the fields named here have one of their values. The value of a
            hidden field is kept and must still be valid.
        parameters_of: for a field that contains the parameters of another component: the field with that component's
            name, which has a widget for it (`learner`). The form of that component is drawn in its place.
    """
    hints: dict[str, Any] = {}
    if widget:
        hints["x-widget"] = widget
    if advanced:
        hints["x-advanced"] = True
    if unit:
        hints["x-unit"] = unit
    if applies_when:
        hints["x-applies-when"] = applies_when
    if parameters_of:
        hints["x-parameters-of"] = parameters_of
    return hints
