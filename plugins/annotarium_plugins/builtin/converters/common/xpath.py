"""Evaluates XPath 1.0 expressions of users on elements of `xml_reader`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.xml_reader import Element
from annotarium_schemas.messages import message


def compile_xpath(expression: str, namespaces: Mapping[str, str]) -> Any:
    """Compile an expression for `evaluate`.

    Raises:
        ValueError: it is not valid; the text states why.
    """
    from lxml import etree

    try:
        return etree.XPath(expression, namespaces=dict(namespaces) or None, smart_strings=False, regexp=False)
    except (etree.XPathError, etree.LxmlError) as error:
        raise ValueError(message("fault.xpath", "Not an XPath expression: {why}", why=str(error))) from error


def evaluate(compiled: Any, element: Element) -> list[Any]:
    """Return elements and strings in document order; a number or boolean becomes one string.

    Raises:
        ComponentError: evaluation failed, for example because of an unknown prefix or function.
    """
    from lxml import etree

    try:
        found = compiled(element)
    except etree.XPathError as error:
        text = f"The XPath expression {compiled.path} cannot be evaluated: {error}"
        raise ComponentError(
            text, fix=message("fix.prefix", "Correct it, or declare the prefix of its namespace")
        ) from error
    if isinstance(found, list):
        return found
    if isinstance(found, bool):
        return ["true" if found else "false"]
    if isinstance(found, float):
        return [f"{found:.15g}"]
    return [str(found)]
