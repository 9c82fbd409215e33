"""Kinds and states of components in sentences."""

from __future__ import annotations

from annotarium_schemas.said import Said, say

_KINDS = {
    "converter": say("component.converter", "converter"),
    "formatter": say("component.formatter", "formatter"),
    "languageGuesser": say("component.languageGuesser", "language guesser"),
    "segmenter": say("component.segmenter", "segmenter"),
    "annotator": say("component.annotator", "annotator"),
    "processor": say("component.processor", "processor"),
    "vectorizer": say("component.vectorizer", "vectorizer"),
    "learner": say("component.learner", "learner"),
    "suggester": say("component.suggester", "suggester"),
    "gazetteer": say("component.gazetteer", "gazetteer"),
    "termImporter": say("component.termImporter", "term importer"),
    "searchParamsBuilder": say("component.searchParamsBuilder", "builder of search parameters"),
    "ragContextBuilder": say("component.ragContextBuilder", "builder of contexts"),
    "questionAnswerer": say("component.questionAnswerer", "question answerer"),
}
_STATES = {
    "disabled": say("component.disabled", "disabled"),
    "unavailable": say("component.unavailable", "unavailable"),
}


def kind_words(kind: str) -> str:
    """A kind as a noun."""
    return _KINDS.get(kind, kind)


def no_component(kind: str, name: str) -> Said:
    """That a component is not installed."""
    return say("component.none", "There is no {kind} named {name}", kind=kind_words(kind), name=name)


def not_ready(kind: str, name: str, state: str) -> Said:
    """That an installed component cannot be used."""
    words = _STATES.get(state, state)
    return say("component.state", "The {kind} {name} is {state}", kind=kind_words(kind), name=name, state=words)


def not_started(kind: str, name: str) -> Said:
    """That a component failed when it was built."""
    return say("component.notStarted", "The {kind} {name} could not be started", kind=kind_words(kind), name=name)
