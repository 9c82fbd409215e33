"""Checks and corrects the offsets of imported spans. Each correction is reported in a note.

Offsets are code points, half-open. When the quoted texts of a document are not found at their offsets, the offsets were
counted in another unit. The units are tried for the whole document, so that spans without a quoted text are corrected
too: UTF-16 units, line ends counted as one character where the text has two, or as two where it has one. A span that
fits none of them is moved to the nearest exact occurrence of its quoted text. If there is none, the document is
refused.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from annotarium.content.validation import SAMPLE_LENGTH, InvalidContent
from annotarium_schemas.documents import Annotation, Category, Document, Sentence
from annotarium_schemas.messages import Message, message

Span = Annotation | Category | Sentence
Unit = Callable[[int], int | None]
"""Converts a foreign offset to a code-point offset; None when the text has no such position."""


def correct_offsets(document: Document) -> list[str]:
    """Make `text[start:end]` equal the quoted text for every span of the document, in place.

    Returns:
        One note per correction; empty when all offsets were right.

    Raises:
        InvalidContent: a span is outside the text, is empty, or its quoted text is nowhere in the document.
    """
    text = document.text
    quoted = [span for span in document.annotations if span.text]
    notes: list[str] = []
    if any(not _quote_is_at(text, span.start, span.end, span.text) for span in quoted):
        notes = _correct_unit(document, quoted) or _correct_one_by_one(text, quoted)
    length = len(text)
    for annotation in document.annotations:
        check_bounds(annotation.start, annotation.end, length, annotation)
        quote = text[annotation.start : annotation.end]
        if annotation.text != quote:  # assigning a field of a pydantic model is slow
            annotation.text = quote
    for sentence in document.sentences or ():
        check_bounds(sentence.start, sentence.end, length, sentence)
    for category in _categories_with_ranges(document):
        assert category.start is not None
        assert category.end is not None
        check_bounds(category.start, category.end, length, category)
    return notes


def _quote_is_at(text: str, start: int, end: int, quote: str) -> bool:
    return 0 <= start < end <= len(text) and text[start:end] == quote


def _span_description(span: Span) -> Message:
    if isinstance(span, Sentence):
        return message("what.sentence", "A sentence")
    name = span.label_name or span.label or span.label_id or ""
    if isinstance(span, Category):
        return message("what.category", "The category {label}", label=name)
    if not span.text:
        return message("what.annotation", "The annotation {label}", label=name)
    return message(
        "what.annotationOf", "The annotation {label} \u201c{text}\u201d", label=name, text=span.text[:SAMPLE_LENGTH]
    )


def check_bounds(start: int, end: int, length: int, span: Span) -> None:
    """Raise `InvalidContent` for a span that is empty or outside a text of this length."""
    if not 0 <= start < end <= length:
        raise InvalidContent(
            message(
                "document.outside",
                "{what} at {start}-{end} is outside the text of {length:,} characters",
                what=_span_description(span),
                start=start,
                end=end,
                length=length,
            ),
            message("fix.offsets", "Count offsets in Unicode characters, from 0, the end not included"),
        )


def _categories_with_ranges(document: Document) -> list[Category]:
    own = [category for category in document.categories if category.start is not None or category.end is not None]
    for category in own:
        if category.start is None or category.end is None:
            raise InvalidContent(
                message(
                    "document.halfPlace",
                    "The category {label} has only a start or only an end",
                    label=category.label_name or category.label,
                )
            )
    return own


def _correct_unit(document: Document, quoted: Sequence[Annotation]) -> list[str]:
    """Convert all offsets to code points if one unit explains all quoted texts. Returns the notes, empty when none
    does.
    """
    for words, unit in _possible_offset_units(document.text):
        moved = [(unit(span.start), unit(span.end)) for span in quoted]
        if all(
            start is not None and end is not None and _quote_is_at(document.text, start, end, span.text)
            for span, (start, end) in zip(quoted, moved, strict=True)
        ):
            return [_convert_all_spans(document, unit, words)]
    return []


def _convert_all_spans(document: Document, unit: Unit, words: str) -> str:
    spans: list[Span] = [*document.annotations, *(document.sentences or ()), *_categories_with_ranges(document)]
    count = 0
    for span in spans:
        assert span.start is not None
        assert span.end is not None
        start, end = unit(span.start), unit(span.end)
        if start is None or end is None:
            text = "{start}-{end} is not a range of the text ({unit})"
            raise InvalidContent(message("document.noPlace", text, start=span.start, end=span.end, unit=words))
        if isinstance(span, Annotation) and span.fragments:
            # An offset that the unit cannot convert stays as it is; the later check of the fragments reports it.
            span.fragments = [
                (_or_default(unit(first), first), _or_default(unit(past), past)) for first, past in span.fragments
            ]
        count += (start, end) != (span.start, span.end)
        span.start, span.end = start, end
    return message(
        "note.unit",
        "{count:,} offsets were counted in {unit}: corrected",
        one="{count:,} offset was counted in {unit}: corrected",
        count=count,
        unit=words,
    )


def _or_default(position: int | None, otherwise: int) -> int:
    return otherwise if position is None else position


def _possible_offset_units(text: str) -> Iterable[tuple[str, Unit]]:
    if any(char > "\uffff" for char in text):
        yield message("unit.utf16", "UTF-16 units"), _code_point_converter(1 + (char > "\uffff") for char in text)
    if "\r\n" in text:
        yield (
            message("unit.one", "characters with a line end as one"),
            _code_point_converter(0 if pair == "\r\n" else 1 for pair in _adjacent_characters(text)),
        )
    elif "\n" in text:
        yield (
            message("unit.two", "characters with a line end as two"),
            _code_point_converter(2 if char == "\n" else 1 for char in text),
        )


def _adjacent_characters(text: str) -> Iterable[str]:
    """Yield each character with the next one."""
    return (text[index : index + 2] for index in range(len(text)))


def _code_point_converter(widths: Iterable[int]) -> Unit:
    """Return a converter from foreign offsets to code points, from the foreign width of each character."""
    foreign = [0, *accumulate(widths)]

    def unit(offset: int) -> int | None:
        index = bisect_left(foreign, offset)
        return index if index < len(foreign) and foreign[index] == offset else None

    return unit


def _correct_one_by_one(text: str, quoted: Sequence[Annotation]) -> list[str]:
    notes: list[str] = []
    for span in quoted:
        if _quote_is_at(text, span.start, span.end, span.text):
            continue
        start = _nearest(text, span.text, span.start)
        if start is None:
            raise InvalidContent(
                message(
                    "document.otherText",
                    "{span} is neither the text at {start}-{end} nor anywhere else in the document",
                    span=_span_description(span),
                    start=span.start,
                    end=span.end,
                ),
                message("fix.exactText", "Send the exact text of the document, or omit {field}", field="`text`"),
            )
        words = "{what} was not at {start}-{end}: placed at {first}-{past}"
        past = start + len(span.text)
        notes.append(
            message(
                "note.placed",
                words,
                what=_span_description(span),
                start=span.start,
                end=span.end,
                first=start,
                past=past,
            )
        )
        if span.fragments:
            shift = start - span.start
            span.fragments = [(first + shift, past + shift) for first, past in span.fragments]
        span.start, span.end = start, start + len(span.text)
    return notes


def _nearest(text: str, quote: str, start: int) -> int | None:
    """Return the start of the occurrence nearest to an offset; of two at the same distance, the earlier one."""
    start = max(0, min(start, len(text)))
    before = text.rfind(quote, 0, start + len(quote))
    after = text.find(quote, start)
    candidates = [position for position in (before, after) if position >= 0]
    return min(candidates, key=lambda position: abs(position - start)) if candidates else None
