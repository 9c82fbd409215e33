"""Translatable messages for validation errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotarium_schemas.messages import Message, message

_MESSAGES_BY_TYPE = {
    "missing": message("fault.missing", "It is required"),
    "extra_forbidden": message("fault.noParameter", "This parameter does not exist"),
    "string_type": message("fault.noText", "It must be a text"),
    "int_type": message("fault.noInteger", "It must be a whole number"),
    "float_type": message("fault.noNumber", "It must be a number"),
    "bool_type": message("fault.noBoolean", "It must be true or false"),
    "list_type": message("fault.noList", "It must be a list"),
    "dict_type": message("fault.noObject", "It must be an object"),
}
_SAME_MESSAGE_AS = {
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


def validation_message(item: Mapping[str, Any]) -> str:
    """The message for an error of a pydantic model; pydantic's own text for types without one."""
    kind, about = item["type"], item.get("ctx") or {}
    if kind == "value_error":  # raised by a validator, ours or a component's
        raised = about.get("error")
        said = raised.args[0] if isinstance(raised, Exception) and raised.args else None
        return said if isinstance(said, Message) else str(item["msg"]).removeprefix("Value error, ")
    try:
        words = _MESSAGES_BY_TYPE.get(_SAME_MESSAGE_AS.get(kind, kind)) or _message_with_bound(kind, about)
    except (KeyError, TypeError):  # an error that was passed on without what it is about
        words = None
    return words or str(item["msg"])


def _message_with_bound(kind: str, about: Mapping[str, Any]) -> str | None:
    match kind:
        case "greater_than":
            return message("fault.greaterThan", "It must be greater than {number:,}", number=_number(about["gt"]))
        case "greater_than_equal":
            return message("fault.atLeast", "It must be at least {number:,}", number=_number(about["ge"]))
        case "less_than":
            return message("fault.lessThan", "It must be less than {number:,}", number=_number(about["lt"]))
        case "less_than_equal":
            return message("fault.atMost", "It must be at most {number:,}", number=_number(about["le"]))
        case "multiple_of":
            return message(
                "fault.multiple", "It must be a multiple of {number:,}", number=_number(about["multiple_of"])
            )
        case "literal_error" | "enum":
            return message("fault.oneOf", "It must be one of {values}", values=str(about["expected"]))
        case "string_pattern_mismatch":
            return message("fault.pattern", "It must have the form {pattern}", pattern=str(about["pattern"]))
        case "string_too_short" | "string_too_long" | "too_short" | "too_long":
            return _message_with_length(kind, about)
    return None


def _message_with_length(kind: str, about: Mapping[str, Any]) -> str:
    least, most = about.get("min_length", 0), about.get("max_length", 0)
    match kind:
        case "string_too_short" if least <= 1:
            return message("fault.empty", "It must not be empty")
        case "string_too_short":
            return message("fault.short", "It must have at least {number:,} characters", number=least)
        case "string_too_long":
            return message("fault.long", "It must have at most {number:,} characters", number=most)
        case "too_short":
            return message("fault.few", "It must have at least {number:,} entries", number=least)
        case _:
            return message("fault.many", "It must have at most {number:,} entries", number=most)


def _number(bound: Any) -> int | float:
    """A bound as JSON has it.

    Raises:
        TypeError: it is no number (a date, say).
    """
    if isinstance(bound, int):
        return bound
    number = float(bound)
    return int(number) if number.is_integer() else number
