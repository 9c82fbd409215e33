"""Messages that name kinds and states of components."""

from __future__ import annotations

from annotarium_schemas.messages import Message, message

_KINDS = {
    "converter": message("component.converter", "converter"),
    "formatter": message("component.formatter", "formatter"),
    "languageGuesser": message("component.languageGuesser", "language guesser"),
    "segmenter": message("component.segmenter", "segmenter"),
    "annotator": message("component.annotator", "annotator"),
    "processor": message("component.processor", "processor"),
    "vectorizer": message("component.vectorizer", "vectorizer"),
    "learner": message("component.learner", "learner"),
    "suggester": message("component.suggester", "suggester"),
    "gazetteer": message("component.gazetteer", "gazetteer"),
    "termImporter": message("component.termImporter", "term importer"),
    "searchParamsBuilder": message("component.searchParamsBuilder", "search parameter builder"),
    "reranker": message("component.reranker", "reranker"),
    "ragContextBuilder": message("component.ragContextBuilder", "context builder"),
    "questionAnswerer": message("component.questionAnswerer", "question answerer"),
}
_STATES = {
    "disabled": message("component.disabled", "disabled"),
    "unavailable": message("component.unavailable", "unavailable"),
}


def kind_name(kind: str) -> str:
    """A kind as a translatable noun."""
    return _KINDS.get(kind, kind)


def component_not_installed(kind: str, name: str) -> Message:
    """The message that a component is not installed."""
    return message("component.none", "There is no {kind} named {name}", kind=kind_name(kind), name=name)


def component_not_available(kind: str, name: str, state: str) -> Message:
    """The message that an installed component cannot be used."""
    words = _STATES.get(state, state)
    return message("component.state", "The {kind} {name} is {state}", kind=kind_name(kind), name=name, state=words)


def component_not_started(kind: str, name: str) -> Message:
    """The message that a component could not be built."""
    return message("component.notStarted", "The {kind} {name} could not be started", kind=kind_name(kind), name=name)
