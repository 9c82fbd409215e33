"""Reads facet values as numbers and dates, for ranges, kinds of facets, and histograms. The same for every engine.

Metadata has no declared type: a value is a number or a date when it is written like one.
"""

from __future__ import annotations

import calendar
import hashlib
import math
import re
import struct
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from annotarium.errors import InvalidInput
from annotarium.search.index_and_search_types import Bucket, FacetCounts, ValueKind
from annotarium.search.query.ast import Range
from annotarium.search.query.limits import replace_lone_surrogates
from annotarium.search.ranges import parse_date, parse_number
from annotarium.search.text_analysis import fold_case_and_accents

MAX_VALUE = 256
"""Code points of a facet value; the end of a longer one is replaced by a hash."""
MAX_BINS = 40
"""Approximate maximum of bars in a histogram."""

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2}(?:[T ]\d{2}:?\d{2}.*)?)?)?")
_DIGITS = re.compile(r"\d+")
_LONG_NUMBER = 20
_SIGN, _ALL_BITS = 1 << 63, (1 << 64) - 1
_DAY_MS = 86_400_000.0
_MONTHS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200)


def stored_facet_value(text: str) -> str:
    """Return a value as engines store it."""
    text = replace_lone_surrogates(text)
    if len(text) <= MAX_VALUE:
        return text
    print_ = hashlib.blake2b(text.encode("utf-8"), digest_size=12).hexdigest()
    return f"{text[: MAX_VALUE - 32]}… {print_}"


def parse_facet_number(text: str) -> float | None:
    """Return the finite number that a value is written as, or None."""
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    return number if math.isfinite(number) else None


def parse_facet_timestamp(text: str, *, end: bool = False) -> float | None:
    """Return epoch milliseconds of a value written as an ISO 8601 date (year, month, day or time, UTC), or None."""
    return parse_date(text.replace(" ", "T", 1), 0, end=end) if _DATE.fullmatch(text) else None


def detect_value_kind(values: Iterable[str]) -> ValueKind | None:
    """Return the common kind of all values; None for text, for a mixture, and for fewer than two values."""
    texts = list(values)
    if len(texts) < 2:
        return None
    if all(parse_facet_number(text) is not None for text in texts):
        return "number"
    return "date" if all(parse_facet_timestamp(text) is not None for text in texts) else None


def contains_predicate(find: str) -> Callable[[str], bool]:
    """Return a function that checks whether a value contains `find`, ignoring case and accents."""
    wanted = " ".join(map(fold_case_and_accents, find.split()))
    plain = find.strip().casefold()

    def holds(value: str) -> bool:
        return plain in value.casefold() or (
            bool(wanted) and wanted in " ".join(map(fold_case_and_accents, value.split()))
        )

    return holds


def is_text_range(node: Range) -> bool:
    """Return whether the ends are neither numbers nor dates: values are then compared as text."""
    ends = [end for end in (node.low, node.high) if end is not None]
    return any(parse_facet_number(end) is None and _parse_date_end(end, 0, False) is None for end in ends) or not ends


def range_predicate(node: Range, now_ms: float) -> Callable[[str], bool]:
    """Return a function that checks whether a value is in a range of numbers, dates or `now` (see `is_text_range`).

    Values written as numbers are compared with ends that are numbers, dates with dates; a year is both.
    """
    numbers = _parse_range_ends(node, lambda end, _: parse_facet_number(end))
    moments = _parse_range_ends(node, lambda end, last: _parse_date_end(end, now_ms, last))

    def holds(value: str) -> bool:
        number = parse_facet_number(value) if numbers else None
        if numbers and number is not None:
            return _between(number, numbers, node)
        moment = parse_facet_timestamp(value)
        return moments is not None and moment is not None and _between(moment, moments, node)

    return holds


_Ends = tuple[float | None, float | None]


def column_range_ends(node: Range, kind: str, now_ms: float) -> tuple[float | None, float | None]:
    """The ends of a range of a column of dates (`kind` is "d", ends in milliseconds) or numbers ("n"); None is open.

    Raises:
        InvalidInput: an end is of another kind.
    """

    def parsed(text: str | None, last: bool) -> float | None:
        if text is None:
            return None
        end = parse_date(text, now_ms, end=last) if kind == "d" else parse_number(text)
        if end is None:
            held, wanted = ("dates", "a date like 2020-05-31") if kind == "d" else ("numbers", "a number")
            raise InvalidInput(f"The field {node.field} holds {held}: '{text}' is not {wanted}")
        return end

    return parsed(node.low, not node.include_low), parsed(node.high, node.include_high)


def _parse_range_ends(node: Range, read: Callable[[str, bool], float | None]) -> _Ends | None:
    low = None if node.low is None else read(node.low, not node.include_low)
    high = None if node.high is None else read(node.high, node.include_high)
    wrong = (node.low is not None and low is None) or (node.high is not None and high is None)
    return None if wrong else (low, high)


def _parse_date_end(text: str, now_ms: float, last: bool) -> float | None:
    return now_ms if text.lower() == "now" else parse_facet_timestamp(text, end=last)


def _between(value: float, ends: _Ends, node: Range) -> bool:
    low, high = ends
    above = low is None or (value >= low if node.include_low else value > low)
    return above and (high is None or (value <= high if node.include_high else value < high))


# --- sorting ----------------------------------------------------------------------------------------------------------


def facet_sort_key(text: str, *, words_only: bool = False) -> str:
    """Return the sort key of a facet value, to be compared as text.

    Numbers and dates come first, on one axis (a date is its year plus the fraction of the year that has passed). Then
    come texts in alphabetical order, with numbers in them ordered by size (9 before 10).

    Args:
        words_only: treat the value as text even when it is written as a number, as for titles.
    """
    number = None if words_only else parse_facet_number(text)
    if number is None and not words_only:
        moment = parse_facet_timestamp(text)
        number = None if moment is None else _fractional_year(moment)
    if number is None:
        plain = " ".join(filter(None, map(fold_case_and_accents, text.split()))) or text.casefold()
        return "1" + _DIGITS.sub(lambda run: run.group().lstrip("0").zfill(_LONG_NUMBER), plain)
    (bits,) = struct.unpack(">Q", struct.pack(">d", number + 0.0))
    return f"0{bits ^ (_ALL_BITS if bits >> 63 else _SIGN):016x}"


def _fractional_year(moment: float) -> float:
    year = _start_of_day(moment).year
    start, length = _month_start_milliseconds(year * 12), 366 if calendar.isleap(year) else 365
    return year + (moment - start) / (length * _DAY_MS)


# --- histograms -------------------------------------------------------------------------------------------------------


def histogram(name: str, counts: Iterable[tuple[float, int]], kind: ValueKind) -> FacetCounts:
    """Return bars for values with their number of items, from the smallest to the largest value, with empty bars."""
    found = sorted((value, count) for value, count in counts if count)
    if not found:
        return FacetCounts(name, ())
    values = [value for value, _ in found]
    edges = bar_edges(values[0], values[-1], kind, whole=all(value.is_integer() for value in values))
    totals = [0] * (len(edges) - 1)
    for value, count in found:
        totals[bar_index(edges, value)] += count
    return histogram_from_bars(name, edges, totals, kind)


def histogram_from_bars(name: str, edges: Sequence[float], totals: Sequence[int], kind: ValueKind) -> FacetCounts:
    """Return the histogram with these edges and totals."""
    pieces = zip(pairwise(edges), totals, strict=True)
    return FacetCounts(name, [Bucket(f"{low:.17g}", total, low, high) for (low, high), total in pieces], bars_of=kind)


def bar_index(edges: Sequence[float], value: float) -> int:
    """Return the index of the bar that a value belongs to."""
    return min(max(bisect_right(edges, value) - 1, 0), len(edges) - 2)


def bar_edges(low: float, high: float, kind: ValueKind, *, whole: bool) -> list[float]:
    """Return ascending round edges of about `MAX_BINS` bars that cover `low` to `high`; at least two edges."""
    edges = _calendar_edges(low, high) if kind == "date" else _round_number_edges(low, high, whole)
    return edges if len(edges) > 1 else [low, low + (_DAY_MS if kind == "date" else 1)]


def _round_number_edges(low: float, high: float, whole: bool) -> list[float]:
    step = _round_step((high - low) / MAX_BINS)
    step = max(1.0, step) if whole else step
    if not step or not math.isfinite(step):
        return []
    first = math.floor(low / step)
    last = max(math.floor(high / step) + 1, first + 1)
    if last - first > 2 * MAX_BINS:  # numbers so large that the step vanishes in their rounding
        return []
    return [index * step for index in range(first, last + 1)]


def _round_step(least: float) -> float:
    if least <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(least))
    return next((factor * power for factor in (1, 2, 5) if factor * power >= least), 10 * power)


def _calendar_edges(low: float, high: float) -> list[float]:
    """Return edges at days, weeks, months or years, the finest that gives few enough bars."""
    first = _start_of_day(low)
    for days in (1, 7):
        begin = first - timedelta(days=first.weekday()) if days == 7 else first
        count = int((high - _datetime_to_milliseconds(begin)) // (days * _DAY_MS)) + 1
        if count <= MAX_BINS:
            return [_datetime_to_milliseconds(begin) + index * days * _DAY_MS for index in range(count + 1)]
    span = (_start_of_day(high).year - first.year + 1) * 12
    months = next((step for step in _MONTHS if span / step <= MAX_BINS - 1), _MONTHS[-1])
    number = (first.year * 12 + first.month - 1) // months * months
    edges = [_month_start_milliseconds(number)]
    while edges[-1] <= high and len(edges) <= 10 * MAX_BINS:
        number += months
        edges.append(_month_start_milliseconds(number))
    return edges


def _start_of_day(moment: float) -> datetime:
    bounded = min(max(moment, -62_135_596_800_000.0), 253_402_214_400_000.0)
    start = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=bounded)
    return start.replace(hour=0, minute=0, second=0, microsecond=0)


def _datetime_to_milliseconds(moment: datetime) -> float:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(milliseconds=1)


def _month_start_milliseconds(number: int) -> float:
    year = min(max(number // 12, 1), 9999)
    return _datetime_to_milliseconds(datetime(year, number % 12 + 1 if year == number // 12 else 12, 1, tzinfo=UTC))
