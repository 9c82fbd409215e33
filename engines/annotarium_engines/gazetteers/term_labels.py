"""The label of what a term finds: by its lexicon, or by one of its properties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.documents import Term

_MOST_LABELS = 5_000
_LONGEST_NAME = 255


class TermLabels:
    """Numbers the labels of terms as they occur.

    Attributes:
        names: the labels by number.
    """

    def __init__(self, mapping: Mapping[str, str], *, property_name: str = "", other: str = "") -> None:
        """Args:
        mapping: labels by lexicon or value; an empty label leaves the terms out.
        property_name: the property whose value counts, the lexicon's name if empty.
        other: the label of terms that are not in the mapping; if empty, it is the name or value itself.
        """
        self._mapping = {found.casefold(): label for found, label in mapping.items()}
        self._property, self._other = property_name, other
        self._numbers: dict[str, int] = {}

    @property
    def names(self) -> list[str]:
        """Return the labels by number."""
        return list(self._numbers)

    def number(self, term: Term) -> int | None:
        """Return the number of a term's label, None if what it finds gets no label.

        Raises:
            ComponentError: the values are too many to be labels.
        """
        label = self._label(term)[:_LONGEST_NAME]
        if not label:
            return None
        number = self._numbers.setdefault(label, len(self._numbers))
        if number >= _MOST_LABELS:
            raise ComponentError(
                "The terms have too many labels.",
                cause=f"The property {self._property} has more than {_MOST_LABELS} values.",
                fix="Choose a property with few values, or one label for all other terms.",
            )
        return number

    def _label(self, term: Term) -> str:
        values = list(self._values(term))
        for value in values:
            if value.casefold() in self._mapping:
                return self._mapping[value.casefold()]
        return self._other or next(iter(values), "")

    def _values(self, term: Term) -> Iterator[str]:
        if not self._property:
            yield term.lexicon
            return
        value = (term.properties or {}).get(self._property)
        for one in _several(value):
            if isinstance(one, str | int | float) and str(one).strip():
                yield str(one).strip()


def _several(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else [value]
