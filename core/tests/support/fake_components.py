"""Test components of kinds for which no component is installed.

`from support.fake_components import install_fake_components`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import EntryPoint

import pytest
from pydantic import Field

from annotarium.registry import get_registry
from annotarium.registry.component_info import ComponentEntryPoint
from annotarium_plugins.base.annotator import Annotator
from annotarium_plugins.base.language_guesser import LanguageGuesser
from annotarium_plugins.base.processor import Processor
from annotarium_plugins.base.question_answerer import Answer, QuestionAnswerer
from annotarium_plugins.base.rag_context_builder import Passage, RagContextBuilder
from annotarium_plugins.base.search_params_builder import SearchParams, SearchParamsBuilder
from annotarium_plugins.kinds import KIND_BY_NAME
from annotarium_plugins.parameters import NoParameters, Parameters
from annotarium_schemas.documents import Annotation, Category, Document


class CapitalAnnotator(Annotator[NoParameters]):
    """Annotates capitalised words as `name`."""

    def annotate(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Add an annotation per word to each document."""
        for document in documents:
            for found in re.finditer(r"\b[A-Z]\w*", document.text):
                document.annotations.append(
                    Annotation(start=found.start(), end=found.end(), text=found[0], label_name="name", score=0.5)
                )
            yield document


class CountProcessor(Processor[NoParameters]):
    """Adds a category with the language and the number of annotations."""

    title = "Counting"
    languages = ("en", "fr")
    by_default = True

    def process(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Add a category to each document."""
        for document in documents:
            document.categories.append(Category(label_name=f"{language} {len(document.annotations)}"))
            yield document


class FrenchGuesser(LanguageGuesser[NoParameters]):
    """Always guesses French."""

    by_default = True

    def guess(self, text: str) -> str:
        """Return `fr`."""
        return "fr"


class LiteralSearch(SearchParamsBuilder[NoParameters]):
    """Searches for the question as it is."""

    def build(self, question: str, language: str) -> SearchParams:
        """Return a text search."""
        return SearchParams(question)


class JoinedContext(RagContextBuilder[NoParameters]):
    """Joins all passages."""

    def build(self, question: str, passages: Sequence[Passage]) -> tuple[str, list[Passage]]:
        """Return the texts, one a line."""
        return "\n".join(one.text for one in passages), list(passages)


class LengthParameters(Parameters):
    """Parameters of `FirstTokens`."""

    words: int = Field(5, title="Words", ge=1)


class FirstTokens(QuestionAnswerer[LengthParameters]):
    """Answers with the first words of the context. It needs the setting FIRST_TOKENS unless this is empty."""

    parameters_model = LengthParameters
    setting = ""

    @classmethod
    def missing_setting(cls) -> str:
        """Return the setting."""
        return cls.setting

    def answer(self, question: str, context: str, passages: Sequence[Passage], language: str) -> Answer:
        """Answer without citations."""
        return Answer(" ".join(context.split()[: self.parameters.words]))


FAKE_COMPONENTS = {
    "searchParamsBuilder": ("literal_search", LiteralSearch),
    "ragContextBuilder": ("joined_context", JoinedContext),
    "questionAnswerer": ("first_tokens", FirstTokens),
    "annotator": ("capitals", CapitalAnnotator),
    "processor": ("count", CountProcessor),
    "languageGuesser": ("french", FrenchGuesser),
}


def install_fake_components(monkeypatch: pytest.MonkeyPatch, *kinds: str) -> None:
    """Register the fake components of the given kinds, or all, in this process until the end of the test."""
    registry = get_registry()
    monkeypatch.setattr(registry, "_rows", dict(registry._rows))
    for kind in kinds or FAKE_COMPONENTS:
        name, cls = FAKE_COMPONENTS[kind]
        point = EntryPoint(name, f"{cls.__module__}:{cls.__name__}", KIND_BY_NAME[kind].group)
        registry._add(KIND_BY_NAME[kind], ComponentEntryPoint(point, "spare", "1"))
