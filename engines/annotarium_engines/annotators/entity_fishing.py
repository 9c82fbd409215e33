"""entity-fishing: finds and disambiguates Wikidata entities with an external server."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from pydantic import Field

from annotarium_engines.annotators.entity_fishing_client import ADDRESS, address, send_query
from annotarium_engines.annotators.label_mapping import LabelMapping, label_mappings_field, other_label_field
from annotarium_engines.annotators.text_windows import text_windows
from annotarium_plugins.base.annotator import Annotator
from annotarium_plugins.base.component import ComponentError, Nature
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Annotation, Document, Term

LEXICON = "wikidata"
_LONGEST_NAME = 255
_MAX_WINDOW = 20_000
"""Maximum code points of a request: the server processes a text as a whole."""
_SHORTEST = 6
"""The server refuses a shorter text (status 406)."""
_USUAL = {
    "person": ("PERSON",),
    "location": ("LOCATION",),
    "organisation": ("ORGANISATION", "INSTITUTION"),
    "drug": ("Pharmacy",),
}


class EntityFishingParameters(Parameters):
    """Settings of entity-fishing. Names in two words are the published ones (C-074)."""

    minSelectorScore: float = Field(
        0.1, ge=0, le=1, title="Minimum score", description="Entities with a lower score are ignored."
    )
    labels: list[LabelMapping] = label_mappings_field(
        _USUAL, "The type of an entity or, if it has none, its domain; and the label it gets here."
    )
    defaultLabel: str = other_label_field()


class EntityFishingAnnotator(Annotator[EntityFishingParameters]):
    """Annotates entities with their Wikidata identifier as a term and the server's confidence as score."""

    title: ClassVar[str] = "Wikidata entities (entity-fishing)"
    description: ClassVar[str] = "Entities of Wikidata, recognised by an entity-fishing server."
    parameters_model: ClassVar[type[Parameters]] = EntityFishingParameters
    natures: ClassVar[tuple[Nature, ...]] = ("sequence_labelling", "question_answering")
    version: ClassVar[str] = "1"

    @classmethod
    def missing_setting(cls) -> str:
        """Return the setting that contains the address of the server, if it contains none."""
        return "" if address() else ADDRESS

    def annotate(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield the same documents with the entities added; see `Annotator.annotate`.

        Raises:
            ComponentError: the server cannot be reached, refuses a text or returns an invalid response.
        """
        names = {one.found.casefold(): one.label for one in self.parameters.labels}
        for document in documents:
            found: list[Annotation] = []
            for start, end in text_windows(document.text, _MAX_WINDOW):
                if len(document.text[start:end].strip()) >= _SHORTEST:
                    found += self._entities(document.text[start:end], start, language, names)
            yield document.model_copy(update={"annotations": [*document.annotations, *found]})

    def _entities(self, text: str, at: int, language: str, names: dict[str, str]) -> Iterator[Annotation]:
        query: dict[str, Any] = {
            "text": text,
            "mentions": ["ner", "wikipedia"],
            "minSelectorScore": self.parameters.minSelectorScore,
        }
        if language and language != "xx":
            query["language"] = {"lang": language}
        for entity, start, end in _place_entities(text, send_query(query).get("entities")):
            label = self._label(entity, names)
            if label:
                yield Annotation(
                    start=at + start,
                    end=at + end,
                    text=text[start:end],
                    label_name=label,
                    score=_score(entity),
                    creation_mode="automatic",
                    terms=_terms(entity),
                )

    def _label(self, entity: dict[str, Any], names: dict[str, str]) -> str:
        type_ = entity.get("type")
        domains = entity.get("domains")
        said = [type_] if type_ else domains if isinstance(domains, list) else []
        known = (names[str(word).casefold()] for word in said if str(word).casefold() in names)
        return next(known, self.parameters.defaultLabel)


def _place_entities(text: str, entities: Any) -> list[tuple[dict[str, Any], int, int]]:
    """Each entity with its range in code points.

    The documentation of the server counts "characters", its implementation UTF-16 code units, as Java does. Where the
    two differ, the unit is the one in which every entity has the text that the server says it has.

    Raises:
        ComponentError: they are no list of entities, or in neither unit all of them have that text.
    """
    found: list[dict[str, Any]] = [] if entities is None else entities
    if not isinstance(found, list) or not all(isinstance(entity, dict) for entity in found):
        raise ComponentError("The entity-fishing server answers what cannot be read.")
    units: tuple[dict[Any, int], ...] = (
        _code_points_by_utf16_offset(text),
        {place: place for place in range(len(text) + 1)},
    )
    for places in units:
        ranges = [(places.get(entity.get("offsetStart")), places.get(entity.get("offsetEnd"))) for entity in found]
        placed = [
            (entity, start, end)
            for entity, (start, end) in zip(found, ranges, strict=True)
            if start is not None and end is not None and start < end and text[start:end] == entity.get("rawName")
        ]
        if len(placed) == len(found):
            return placed
    raise ComponentError("The entity-fishing server answers with places that are not in the text.")


def _code_points_by_utf16_offset(text: str) -> dict[Any, int]:
    """Map offsets in UTF-16 code units to code points."""
    if text.isascii():
        return {place: place for place in range(len(text) + 1)}
    places: dict[Any, int] = {}
    unit = 0
    for place, sign in enumerate(text):
        places[unit] = place
        unit += 2 if ord(sign) > 0xFFFF else 1
    places[unit] = len(text)
    return places


def _score(entity: dict[str, Any]) -> float | None:
    for name in ("confidence_score", "nerd_selection_score", "nerd_score"):
        try:
            value = float(entity[name])  # older servers write numbers as strings
        except (KeyError, TypeError, ValueError):
            continue
        if math.isfinite(value):
            return min(1.0, max(0.0, value))
    return None


def _terms(entity: dict[str, Any]) -> list[Term] | None:
    identifier = entity.get("wikidataId")
    if not isinstance(identifier, str) or not 0 < len(identifier) <= _LONGEST_NAME:
        return None
    preferred = entity.get("preferredTerm")
    if not isinstance(preferred, str) or not 0 < len(preferred) <= _LONGEST_NAME:
        preferred = str(entity.get("rawName"))
    return [Term(identifier=identifier, lexicon=LEXICON, preferred_form=preferred, score=_score(entity))]
