"""The closed list of component kinds. Everything that reads, splits, annotates, learns or answers is one of these.

A kind determines the entry-point group for third parties, the base class, and the permission to use a component:
`use<Kind>:<name>` (contract permissions.md).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """One kind of component.

    Attributes:
        name: camelCase singular, as in the API (`languageGuesser`).
        plural: snake_case plural: folder of built-ins and last part of the entry-point group.
        base: `module:Class` of the abstract class (imported only when a component is checked or built).
        permission: prefix of the permission, without the colon.
    """

    name: str
    plural: str
    base: str
    permission: str

    @property
    def group(self) -> str:
        """Return the entry-point group, for instance `annotarium.language_guessers`."""
        return f"annotarium.{self.plural}"


def _kind(name: str, plural: str, module: str, permission: str) -> Kind:
    return Kind(name, plural, f"annotarium_plugins.base.{module}:{name[0].upper()}{name[1:]}", permission)


KINDS: tuple[Kind, ...] = (
    _kind("converter", "converters", "converter", "useConverter"),
    _kind("formatter", "formatters", "formatter", "useFormatter"),
    _kind("languageGuesser", "language_guessers", "language_guesser", "useLanguageGuesser"),
    _kind("segmenter", "segmenters", "segmenter", "useSegmenter"),
    _kind("annotator", "annotators", "annotator", "useAnnotator"),
    _kind("processor", "processors", "processor", "useProcessor"),
    _kind("vectorizer", "vectorizers", "vectorizer", "useVectorizer"),
    _kind("learner", "learners", "learner", "useEngine"),
    _kind("suggester", "suggesters", "suggester", "useEngine"),
    _kind("gazetteer", "gazetteers", "gazetteer", "useEngine"),
    _kind("termImporter", "term_importers", "term_importer", "useTermImporter"),
    _kind("searchParamsBuilder", "search_params_builders", "search_params_builder", "useSvcProvider"),
    _kind("reranker", "rerankers", "reranker", "useSvcProvider"),
    _kind("ragContextBuilder", "rag_context_builders", "rag_context_builder", "useSvcProvider"),
    _kind("questionAnswerer", "question_answerers", "question_answerer", "useSvcProvider"),
)

KIND_BY_NAME = {kind.name: kind for kind in KINDS}
HOOKS_GROUP = "annotarium.hooks"

API_GROUP = "annotarium.api"
"""A distribution may declare the SDK versions it supports: one entry point per version, whose name is the version."""

API_VERSION = "1"
"""Version of the contract in `base/`; it changes when components written for the old version would not work."""
