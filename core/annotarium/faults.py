"""What is wrong with a value, said in sentences that the studio has in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotarium_schemas.said import Said, say

_PLAIN = {
    "missing": say("fault.missing", "It is required"),
    "extra_forbidden": say("fault.noParameter", "There is no such parameter"),
    "string_type": say("fault.noText", "It must be a text"),
    "int_type": say("fault.noInteger", "It must be a whole number"),
    "float_type": say("fault.noNumber", "It must be a number"),
    "bool_type": say("fault.noBoolean", "It must be true or false"),
    "list_type": say("fault.noList", "It must be a list"),
    "dict_type": say("fault.noObject", "It must be an object"),
}
_SAME = {
    "int_parsing": "int_type",
    "int_from_float": "int_type",
    "float_parsing": "float_type",
    "finite_number": "float_type",
    "decimal_parsing": "float_type",
    "bool_parsing": "bool_type",
    "model_type": "dict_type",
    "model_attributes_type": "dict_type",
    "dataclass_type": "dict_type",
    "set_type": "list_type",
    "tuple_type": "list_type",
}


def words_of(item: Mapping[str, Any]) -> str:
    """One of the errors of a pydantic model; what we have no words for is in pydantic's own."""
    kind, about = item["type"], item.get("ctx") or {}
    if kind == "value_error":  # raised by a validator of ours or of a component
        raised = about.get("error")
        said = raised.args[0] if isinstance(raised, Exception) and raised.args else None
        return said if isinstance(said, Said) else str(item["msg"]).removeprefix("Value error, ")
    try:
        words = _PLAIN.get(_SAME.get(kind, kind)) or _bounded(kind, about)
    except KeyError:  # an error that was passed on without what it is about
        words = None
    return words or str(item["msg"])


def _bounded(kind: str, about: Mapping[str, Any]) -> str | None:
    match kind:
        case "greater_than":
            return say("fault.greaterThan", "It must be greater than {number}", number=_number(about["gt"]))
        case "greater_than_equal":
            return say("fault.atLeast", "It must be at least {number}", number=_number(about["ge"]))
        case "less_than":
            return say("fault.lessThan", "It must be less than {number}", number=_number(about["lt"]))
        case "less_than_equal":
            return say("fault.atMost", "It must be at most {number}", number=_number(about["le"]))
        case "multiple_of":
            return say("fault.multiple", "It must be a multiple of {number}", number=_number(about["multiple_of"]))
        case "literal_error" | "enum":
            return say("fault.oneOf", "It must be one of {values}", values=str(about["expected"]))
        case "string_pattern_mismatch":
            return say("fault.pattern", "It must look like {pattern}", pattern=str(about["pattern"]))
        case "string_too_short" | "string_too_long" | "too_short" | "too_long":
            return _sized(kind, about)
    return None


def _sized(kind: str, about: Mapping[str, Any]) -> str:
    least, most = about.get("min_length", 0), about.get("max_length", 0)
    match kind:
        case "string_too_short" if least <= 1:
            return say("fault.empty", "It must not be empty")
        case "string_too_short":
            return say("fault.short", "It must have at least {number} characters", number=least)
        case "string_too_long":
            return say("fault.long", "It must have at most {number} characters", number=most)
        case "too_short":
            return say("fault.few", "It must have at least {number} entries", number=least)
        case _:
            return say("fault.many", "It must have at most {number} entries", number=most)


def _number(bound: Any) -> int | float | str:
    if isinstance(bound, float) and bound.is_integer():
        return int(bound)
    return bound if isinstance(bound, int | float) else str(bound)
