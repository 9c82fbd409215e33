"""Rules of the knowledge base: language fallbacks, and loading concepts from a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import orjson
from pydantic import ValidationError
from sqlalchemy.orm import Session

from annotarium.access.call import Call
from annotarium.content.validation import InvalidContent, check_json_value
from annotarium.db.models import Concept
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.knowledge import host, repository
from annotarium.domains.knowledge.schemas import (
    IMAGE_LIMIT,
    ConceptLine,
    ConceptRead,
    Definition,
    NameInLanguage,
    Statement,
)
from annotarium.domains.knowledge.term_concepts import find_concept_of_term
from annotarium.errors import NotFound
from annotarium.files.image_headers import MAX_PIXELS, read_image_header
from annotarium_schemas.messages import message

_WIKIDATA_ID = re.compile(r"Q\d+")
_BATCH = 200
_MAX_LINE_BYTES = 4 * 1024 * 1024
"""Maximum size of a line in bytes."""
T = TypeVar("T")


def find_concept(call: Call, reference: str, language: str, *, project: str = "") -> ConceptRead | None:
    """A concept by its identifier or page, else of a term of the project; None if this server does not know it. Texts
    missing in `language` fall back to other languages (see `_in_language`).

    Args:
        project: name of the project whose lexicons are searched; empty = none.

    Raises:
        NotFound: the caller may not read the project.
    """
    found = repository.find_concept(call.session, reference)
    if found is not None:
        return _concept_of_row(*found, language)
    return find_concept_of_term(call, project, reference, language) if project else None


def _concept_of_row(concept: Concept, pictured: bool, language: str) -> ConceptRead:
    content: dict[str, Any] = concept.content
    terms: dict[str, str] = content["terms"]
    return ConceptRead(
        identifier=concept.identifier,
        preferred_term=_in_language(terms, language) or concept.identifier,
        definitions=[Definition(definition=one) for one in _in_language(content["definitions"], language) or []],
        statements=[_statement(one, language) for one in content["statements"]],
        multilingual=[NameInLanguage(lang=lang, term=term) for lang, term in sorted(terms.items())],
        image=f"/service/kb/concept/{quote(concept.identifier, safe='')}/image" if pictured else None,
    )


def read_image(call: Call, identifier: str) -> tuple[bytes, str]:
    """The picture of a concept and its media type.

    Raises:
        NotFound: there is no picture, or it cannot be drawn.
    """
    image = repository.read_image(call.session, identifier)
    facts = read_image_header(image) if image else None
    if image is None or facts is None or not facts.is_drawable:
        raise NotFound(message("none.picture", "There is no picture of {name}", name=identifier))
    return image, facts.kind


def knowledge_status(session: Session) -> tuple[bool, bool]:
    """Whether concepts can be read, of this server or of the configured one, and whether there are pictures."""
    known = repository.has_concepts(session)
    return known or host.is_host_used(), known and repository.has_concepts(session, with_image=True)


def unknown_concept_error(call: Call, reference: str) -> NotFound:
    """The error for a concept that neither this server nor the configured one knows."""
    if repository.has_concepts(call.session) or host.is_host_used():
        return NotFound(message("none.concept", "The knowledge base does not contain {name}", name=reference[:80]))
    text = "There is no knowledge base on this server"
    return NotFound(text, fix="Load one: annotarium knowledge load FILE")


def _in_language(values: Mapping[str, T], language: str) -> T | None:
    """The value in a language, else in its base language, else in English, else in any."""
    wanted = (language, language.partition("-")[0], "en", *sorted(values))
    return next((values[one] for one in wanted if one in values), None)


def _statement(stored: Mapping[str, Any], language: str) -> Statement:
    value = stored["value"]
    if isinstance(value, dict):
        value = _in_language(value, language)
    name = _in_language(stored["property"], language) or ""
    is_item = isinstance(value, str) and bool(_WIKIDATA_ID.fullmatch(value))
    return Statement(property_name=name, value=value, is_wikidata_id=is_item)


def load_concepts(path: Path, *, replace: bool = False) -> Iterator[str]:
    """Load concepts from a file of JSON lines (`ConceptLine`) in batches; for duplicate ids the last line wins.

    Opens its own transactions, one per batch.

    Args:
        replace: delete all existing concepts first.

    Yields:
        A sentence for each line that cannot be read, then one summary.
    """
    loaded = refused = 0
    if replace:
        with unit_of_work(actor="", write=True) as unit:
            repository.delete_concepts(unit.session)
    with path.open("rb") as file:
        lines = ((number, line) for number, line in enumerate(_lines_within_limit(file), 1) if line.strip())
        while batch := list(islice(lines, _BATCH)):
            rows: dict[str, dict[str, object]] = {}
            for number, line in batch:
                try:
                    row = _parse_concept_line(line)
                except InvalidContent as error:
                    refused += 1
                    yield f"Line {number} was left out: {error.message}"
                else:
                    rows[str(row["identifier"])] = row
            if rows:
                with unit_of_work(actor="", write=True) as unit:
                    repository.upsert_concepts(unit.session, list(rows.values()))
                loaded += len(rows)
    with unit_of_work(actor="", write=False) as unit:
        known = repository.count_concepts(unit.session)
    yield f"{loaded:,} concepts loaded, {refused:,} lines left out; {known:,} are known now"


def _lines_within_limit(file: Iterable[bytes]) -> Iterator[bytes]:
    for line in file:
        yield line if len(line) <= _MAX_LINE_BYTES else b"too long"


def _parse_concept_line(line: bytes) -> dict[str, object]:
    try:
        given = ConceptLine.model_validate(orjson.loads(line))
    except orjson.JSONDecodeError as error:
        raise InvalidContent(f"it is no JSON object ({error})") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InvalidContent(f"{place}: {first['msg']}") from error
    if given.image is not None:
        facts = read_image_header(given.image) if len(given.image) <= IMAGE_LIMIT else None
        if facts is None or not facts.is_drawable:
            raise InvalidContent(
                f"image: it is no png, jpeg or gif of up to {IMAGE_LIMIT // 1024} kB and {MAX_PIXELS:,} pixels"
            )
    content = given.model_dump(include={"terms", "definitions", "statements"})
    check_json_value([given.id, given.page, content], "The concept")
    return {"identifier": given.id, "page": given.page, "content": content, "image": given.image}
