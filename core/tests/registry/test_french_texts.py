"""Forms of built-in components are translated into French: every title, description and parameter has a translation."""

from __future__ import annotations

import re
from importlib.metadata import entry_points
from typing import Any

import pytest

from annotarium.registry.locales import read_component_texts

OURS = ("annotarium_engines", "annotarium_plugins")
COMPONENTS = [
    entry
    for group in sorted(entry_points().groups)
    if group.startswith("annotarium.")
    for entry in entry_points(group=group)
    if entry.value.startswith(OURS)
]


@pytest.mark.parametrize("entry", COMPONENTS, ids=lambda entry: f"{entry.group}:{entry.name}")
def test_a_component_has_french_texts(entry: Any) -> None:
    try:
        cls = entry.load()
    except ModuleNotFoundError as error:
        pytest.skip(str(error))
    if not getattr(cls, "title", ""):
        return
    words = read_component_texts(cls, entry.name, "fr")
    assert words is not None
    assert words.title
    assert words.description or not cls.description
    known = cls.parameters_model.model_json_schema().get("properties", {})
    described = {name for name, field in known.items() if field.get("description")}
    assert known.keys() == words.parameters.keys()
    assert described <= {name for name, field in words.parameters.items() if field.description}
    texts = [
        words.title,
        words.description or "",
        *(f"{one.title} {one.description}" for one in words.parameters.values()),
    ]
    assert not [text for text in texts if re.search(r"[^\s\u202f:/] ?[;!?](\s|$)|[^\u202f\d]:(\s|$)", text)]
    assert not [text for text in texts if re.search(r"[^\W\d_]'", text)], "the French apostrophe is ’"
