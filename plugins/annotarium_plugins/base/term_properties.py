"""Canonical properties of terms: `TermBuilder` collects what a file states and makes a term of it.

Properties (all optional): `forms` (each form with its type and language), `altForms` (the further forms that match),
`definitions`, `notation`, `broader`, `related`, `crossReferences`, `obsolete`, `matching`; other names are free.
`forms` is left out when the preferred form is the only one and has no language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal, get_args

import orjson

from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

FormType = Literal["preferred", "alternative", "hidden", "exact", "narrow", "broad", "related"]
FORM_TYPES: tuple[str, ...] = get_args(FormType)
MATCHING_TYPES = ("preferred", "alternative", "hidden", "exact")
"""Types of forms that name the term itself: they are `altForms`."""

IDENTIFIER_LENGTH = 512
FORM_LENGTH = 1000
FORMS = 5_000
TEXT_LENGTH = 100_000
VALUES = 20_000
"""Maximum values of one list property, for instance broader terms."""
PROPERTIES_BYTES = 4 << 20

_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*+\\u0000")
"""An escaped NUL in JSON: after an even number of backslashes."""

Problem = tuple[str, str | None]
"""A message and what to do about it."""


def clean_text(text: str) -> str:
    """Return a text without characters that cannot be stored, stripped."""
    return _UNSTORABLE.sub("", text).strip()


def clean_form(text: str) -> str:
    """Return a form or identifier on one line, with white space collapsed."""
    return " ".join(_UNSTORABLE.sub("", text).split())


class TermBuilder:
    """Collects the parts of one term. Repeated parts are ignored; parts over a limit are counted and left out."""

    def __init__(self, identifier: str, language: str = "") -> None:
        """Create a builder.

        Args:
            language: language whose preferred form is the preferred form of the term, when there are several.
        """
        self.identifier = clean_form(identifier)
        self._language = language if language != "xx" else ""
        self._preferred = ""
        self._forms: dict[tuple[str, str, str], None] = {}
        self._definitions: dict[tuple[str, str], None] = {}
        self._lists: dict[str, dict[str, None]] = {}
        self._free: dict[str, Any] = {}
        self._obsolete = False
        self._left_out: dict[str, int] = {}

    def prefer(self, form: str) -> None:
        """Set the preferred form of the term, whatever its language."""
        self._preferred = clean_form(form)
        if self._preferred and not any(one[0] == self._preferred and one[2] == "preferred" for one in self._forms):
            self.add_form(self._preferred)

    def add_form(self, form: str, kind: FormType = "preferred", language: str = "") -> None:
        """Add a form."""
        text = clean_form(form)
        if not text:
            return
        if len(text) > FORM_LENGTH:
            self._leave_out("long")
        elif len(self._forms) >= FORMS and (text, language, kind) not in self._forms:
            self._leave_out("forms")
        else:
            self._forms[text, language, kind] = None

    def add_definition(self, text: str, language: str = "") -> None:
        """Add a definition."""
        plain = clean_text(text)
        if len(plain) > TEXT_LENGTH:
            self._leave_out("definition")
        elif plain and len(self._definitions) < VALUES:
            self._definitions[plain, language] = None

    def add_value(self, name: str, value: str) -> None:
        """Add a value of a property that is a list of texts: `broader`, `related`, `notation`, `crossReferences` or a
        free name.
        """
        text = clean_text(value)
        values = self._lists.setdefault(name, {})
        if len(text) > TEXT_LENGTH:
            self._leave_out("definition")
        elif len(values) >= VALUES and text not in values:
            self._leave_out("values")
        elif text:
            values[text] = None

    def add_values(self, name: str, values: Iterable[str]) -> None:
        """Add several values, see `add_value`."""
        for value in values:
            self.add_value(name, value)

    def mark_obsolete(self) -> None:
        """State that the term is no longer in use."""
        self._obsolete = True

    def set_property(self, name: str, value: Any) -> None:
        """Set a property as it is; it replaces what was collected under its name. None removes it."""
        self._free[name] = value

    @property
    def left_out(self) -> list[Problem]:
        """Return messages about the parts that exceeded a limit."""
        return [_left_out_problem(kind, count) for kind, count in self._left_out.items()]

    def build(self) -> Term:
        """Return the term. It may be invalid: `checked_term` states why."""
        preferred = self._preferred_form()
        properties: dict[str, Any] = {}
        alternatives = dict.fromkeys(
            text for text, _, kind in self._forms if kind in MATCHING_TYPES and text != preferred
        )
        if alternatives:
            properties["altForms"] = list(alternatives)
        if list(self._forms) not in ([], [(preferred, "", "preferred")]):
            properties["forms"] = [_form(*one) for one in self._forms]
        if self._definitions:
            properties["definitions"] = [_with_language({"text": one}, language) for one, language in self._definitions]
        properties |= {name: list(values) for name, values in self._lists.items() if values}
        if self._obsolete:
            properties["obsolete"] = True
        properties |= self._free
        properties = {name: value for name, value in properties.items() if value is not None}
        return Term(identifier=self.identifier, preferred_form=preferred or None, properties=properties or None)

    def _preferred_form(self) -> str:
        if self._preferred:
            return self._preferred
        labels = [(text, language) for text, language, kind in self._forms if kind == "preferred"]
        for wanted in (self._language, "", "en"):
            exact = [text for text, language in labels if language.lower() == wanted.lower()]
            related = [text for text, language in labels if wanted and language.lower().startswith(f"{wanted}-")]
            if exact or related:
                return (exact or related)[0]
        matching = (text for text, _, kind in self._forms if kind in MATCHING_TYPES)
        return labels[0][0] if labels else next(matching, "")

    def _leave_out(self, kind: str) -> None:
        self._left_out[kind] = self._left_out.get(kind, 0) + 1


def _form(text: str, language: str, kind: str) -> dict[str, str]:
    return {**_with_language({"form": text}, language), "type": kind}


def _with_language(value: dict[str, str], language: str) -> dict[str, str]:
    return {**value, "language": language} if language else value


_SHORTER = message("fix.shorten", "Shorten it")


def _left_out_problem(kind: str, count: int) -> Problem:
    if kind == "forms":
        text = message(
            "term.forms", "{count:,} forms over the limit of {limit:,} were left out", count=count, limit=FORMS
        )
        return text, message("fix.splitTerm", "Split it into several terms")
    if kind == "long":
        return (
            message(
                "term.longForms",
                "{count:,} forms of over {limit:,} characters were left out",
                count=count,
                limit=FORM_LENGTH,
            ),
            _SHORTER,
        )
    if kind == "values":
        return values_left_out(count)
    text = message(
        "term.longTexts", "{count:,} texts of over {limit:,} characters were left out", count=count, limit=TEXT_LENGTH
    )
    return text, _SHORTER


def values_left_out(count: int) -> Problem:
    """Return the message about values over the limit of a list."""
    text = message(
        "term.values", "{count:,} values over the limit of {limit:,} were left out", count=count, limit=VALUES
    )
    return text, None


def checked_term(term: Term) -> tuple[Term | None, list[Problem]]:
    """Return a term that can be stored, or None, with the reasons and with what was left out."""
    identifier = clean_form(term.identifier)
    preferred = clean_form(term.preferred_form or "")
    refusal = _refusal(identifier, preferred)
    if refusal:
        return None, [refusal]
    problems: list[Problem] = []
    properties = dict(term.properties or {})
    excess = 0
    for name in ("altForms", "forms"):
        values = properties.get(name)
        if isinstance(values, list) and len(values) > FORMS:
            properties[name] = values[:FORMS]
            excess = max(excess, len(values) - FORMS)
    if excess:
        problems.append(_left_out_problem("forms", excess))
    size = _json_size(properties)
    if size is None:
        return None, [(message("term.notJson", "A property is not a text, number or list of them"), None)]
    if size > PROPERTIES_BYTES:
        text = message("term.large", "Its properties are larger than {limit} MB", limit=PROPERTIES_BYTES >> 20)
        return None, [(text, _SHORTER)]
    changed = {"identifier": identifier, "preferred_form": preferred, "properties": properties or None}
    return term.model_copy(update=changed), problems


def _refusal(identifier: str, preferred: str) -> Problem | None:
    if not identifier:
        return (
            message("term.noIdentifier", "The term has no identifier"),
            message("fix.giveIdentifier", "Give it an identifier"),
        )
    if len(identifier) > IDENTIFIER_LENGTH:
        text = message(
            "term.longIdentifier", "Its identifier is longer than {limit:,} characters", limit=IDENTIFIER_LENGTH
        )
        return text, _SHORTER
    if not preferred:
        return message("term.noForm", "The term has no form"), message("fix.giveForm", "Give it a preferred form")
    if len(preferred) > FORM_LENGTH:
        text = message("term.longForm", "Its preferred form is longer than {limit:,} characters", limit=FORM_LENGTH)
        return text, _SHORTER
    return None


def _json_size(properties: dict[str, Any]) -> int | None:
    try:
        content = orjson.dumps(properties)
    except (TypeError, ValueError):
        return None
    return None if _NUL.search(content) else len(content)
