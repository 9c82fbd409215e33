"""EntityFishing: proposes the entities that an entity-fishing server finds, before anything is annotated (C-074)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from annotarium_engines.annotators.entity_fishing import EntityFishingAnnotator, EntityFishingParameters
from annotarium_plugins.base.component import Nature
from annotarium_plugins.base.suggester import Suggestion, UntrainedSuggester
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Annotation, Document


class EntityFishingSuggester(UntrainedSuggester[EntityFishingParameters]):
    """Asks the server for each segment, as the annotator of the same server does.

    `confidence` is the lowest proposed score, `priority` is greatest for segments with an entity that the server is
    undecided about (score 0.5).
    """

    title: ClassVar[str] = "Wikidata entities (entity-fishing)"
    description: ClassVar[str] = (
        "Proposes the entities of Wikidata that the entity-fishing server finds. Needs no annotations."
    )
    parameters_model: ClassVar[type[Parameters]] = EntityFishingParameters
    natures: ClassVar[tuple[Nature, ...]] = EntityFishingAnnotator.natures
    version: ClassVar[str] = "1"

    @classmethod
    def missing_setting(cls) -> str:
        """Return the setting that contains the address of the server, if it contains none."""
        return EntityFishingAnnotator.missing_setting()

    def find_candidates(self, segments: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield the segments with the entities found; see `UntrainedSuggester.find_candidates`."""
        plain = (one.model_copy(update={"annotations": [], "categories": []}) for one in segments)
        for document in EntityFishingAnnotator(self.parameters).annotate(plain, language):
            scored = [self._with_score(one) for one in document.annotations]
            yield document.model_copy(update={"annotations": scored})

    def _with_score(self, entity: Annotation) -> Annotation:
        """What the server gives no score has passed its threshold."""
        score = self.parameters.minSelectorScore if entity.score is None else entity.score
        return entity.model_copy(update={"score": score})

    def suggest(self, ranked: Iterable[Document], *, labels: Sequence[str]) -> Iterator[Suggestion]:
        """Yield the segments with entities of known labels; see `Suggester.suggest`."""
        known = frozenset(labels)
        for document in ranked:
            proposals = [one for one in document.annotations if one.label_name in known]
            if proposals:
                scores = [one.score or 0.0 for one in proposals]
                doubt = max(1.0 - abs(2.0 * score - 1.0) for score in scores)
                yield Suggestion(document, min(scores), doubt, annotations=proposals)
