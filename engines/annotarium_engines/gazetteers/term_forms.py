"""The forms of a term that are looked for, each with the rule by which its words are compared."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from annotarium_engines.gazetteers.word_keys import VARIANTS, KeyRule, Variants
from annotarium_schemas.documents import Term

MAX_FORM = 1000
"""Code points of a form; longer ones are left out."""
_MAX_ACRONYM = 10
_ALWAYS = frozenset({"preferred", "alternative", "hidden", "exact"})


class TermForm(NamedTuple):
    """A form to look for."""

    text: str
    preferred: bool
    rule: KeyRule


@dataclass(frozen=True)
class FormSettings:
    """Which forms match, and how.

    Attributes:
        rule: how words are compared, unless the term or the acronym rule changes it.
        acronyms: words in capitals match case-sensitively.
        minimum_length: in code points.
        stop_forms: normalised forms that never match (see `normalize_form`).
        types: types of forms that match besides exact ones: `narrow`, `broad`, `related`.
        language: forms in other languages do not match; empty: all match.
        obsolete: obsolete terms match too.
    """

    rule: KeyRule
    acronyms: bool = True
    minimum_length: int = 2
    stop_forms: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    language: str = ""
    obsolete: bool = False


def forms_of_term(term: Term, settings: FormSettings) -> Iterator[TermForm]:
    """Yield the forms of a term that match, each text once, the preferred one first."""
    properties = term.properties or {}
    overrides = properties.get("matching")
    overrides = overrides if isinstance(overrides, dict) else {}
    if overrides.get("disabled") is True or (properties.get("obsolete") is True and not settings.obsolete):
        return
    minimum = overrides.get("minimumLength")
    if not isinstance(minimum, int) or isinstance(minimum, bool):
        minimum = settings.minimum_length
    rule = _rule_of_term(settings.rule, overrides)
    acronyms = settings.acronyms and not isinstance(overrides.get("caseSensitive"), bool)
    for text, preferred in _texts_of_term(term, properties, settings):
        if len(text) < minimum:
            continue
        acronym = is_acronym(text)
        if normalize_form(text) in settings.stop_forms and not (acronym and acronyms):
            continue
        yield TermForm(text, preferred, rule._replace(case_sensitive=True) if acronym and acronyms else rule)


def _texts_of_term(term: Term, properties: Mapping[str, Any], settings: FormSettings) -> Iterator[tuple[str, bool]]:
    """Yield different texts and whether each is the preferred form."""
    languages: dict[str, set[str]] = {}
    others: set[str] = set()
    more: dict[str, None] = {}
    for form in _objects(properties.get("forms")):
        text, kind, language = form.get("form"), form.get("type"), form.get("language")
        if not isinstance(text, str):
            continue
        languages.setdefault(text.strip(), set()).add(language if isinstance(language, str) else "")
        if kind in settings.types or kind in _ALWAYS:
            more[text.strip()] = None
        else:
            others.add(text.strip())
    alternatives = [one for one in _list(properties.get("altForms")) if isinstance(one, str)]
    seen: set[str] = set()
    for number, written in enumerate([term.preferred_form or "", *alternatives, *more]):
        text = written.strip()
        if not text or len(text) > MAX_FORM or text in seen:
            continue
        if number and text in others and text not in more:
            continue
        if _in_language(languages.get(text), settings.language):
            seen.add(text)
            yield text, number == 0


def _in_language(languages: set[str] | None, language: str) -> bool:
    """Whether a form in these languages belongs to texts in `language`; a form without a language always does."""
    if not language or not languages or "" in languages:
        return True
    return any(one.lower().replace("_", "-").split("-")[0] == language for one in languages)


def _rule_of_term(rule: KeyRule, overrides: Mapping[str, Any]) -> KeyRule:
    case, fold = overrides.get("caseSensitive"), overrides.get("foldDiacritics")
    return KeyRule(
        case if isinstance(case, bool) else rule.case_sensitive,
        fold if isinstance(fold, bool) else rule.fold_diacritics,
        _variants_of_term(rule.variants, overrides.get("variants")),
    )


def _variants_of_term(usual: Variants, override: object) -> Variants:
    if override is True:
        return "plural" if usual == "none" else usual
    if override is False:
        return "none"
    return next((one for one in VARIANTS if one == override), usual)


def is_acronym(text: str) -> bool:
    """Whether a form is one short word whose letters are all capitals."""
    return len(text) <= _MAX_ACRONYM and text.isupper() and not any(map(str.isspace, text))


def normalize_form(text: str) -> str:
    """Return a form for comparison with stop forms: without case, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _objects(value: object) -> list[dict[str, Any]]:
    return [one for one in _list(value) if isinstance(one, dict)]
