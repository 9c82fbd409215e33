"""The default components: named in one file, which an administrator's file overrides."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import annotarium
from annotarium.content.segmenter_choice import SegmenterChoice
from annotarium.errors import InvalidInput
from annotarium.registry import get_registry
from annotarium.registry.defaults import component_defaults, product_defaults
from annotarium.settings import get_settings

CORE = Path(annotarium.__file__).parent
PLAIN_WORDS = frozenset({"document", "margin", "paragraph", "regex"})
"""Component names that are also ordinary words."""


@pytest.fixture
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file that ANNOTARIUM_DEFAULTS names."""
    path = tmp_path / "defaults.toml"
    monkeypatch.setenv("ANNOTARIUM_DEFAULTS", str(path))
    get_settings.cache_clear()
    yield path
    monkeypatch.undo()
    get_settings.cache_clear()


def test_an_administrators_file_overrides_one_table_only(own_file: Path) -> None:
    own_file.write_text('[segmenter]\nname = "paragraph"\n', encoding="utf-8")
    assert component_defaults().segmenter.name == "paragraph"
    assert component_defaults().vectorizer == product_defaults().vectorizer
    assert SegmenterChoice().name == "paragraph"
    published = SegmenterChoice.model_json_schema()["properties"]["name"]["default"]
    assert published == product_defaults().segmenter.name, "the published schema is the same everywhere"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('[segmenter]\nname = ""', "segmenter.name"),
        ("[vectorizer]\nname = 3", "vectorizer.name"),
        ('[vectorizer]\nname = "x"\nsize = 2', "vectorizer.size"),
        ('[learner]\nname = "x"', "learner"),
        ("[segmenter", "Expected"),
    ],
)
def test_an_invalid_defaults_file_is_named_with_the_cause(own_file: Path, text: str, cause: str) -> None:
    own_file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        component_defaults()
    assert cause in str(refused.value.cause) and str(own_file) in str(refused.value)


def test_a_missing_defaults_file_is_an_error(own_file: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be used"):
        component_defaults()


def test_the_defaults_are_components_of_the_product() -> None:
    for kind, value in product_defaults():
        assert value.name in get_registry().names(kind)


def _strings(path: Path) -> set[str]:
    """Return the string literals of a module."""
    return {
        node.value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_no_server_module_names_a_default_component() -> None:
    """Neither the components of the defaults file nor any other learner, annotator or vectorizer of the product."""
    project = tomllib.loads((CORE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["project"]["entry-points"]
    kinds = ("segmenters", "learners", "annotators", "processors", "suggesters", "vectorizers")
    names = {name for kind in kinds for name in groups[f"annotarium.{kind}"]} - PLAIN_WORDS
    assert {value.name for _, value in product_defaults()} <= names
    found = {(path.name, text) for path in CORE.rglob("*.py") for text in _strings(path) & names}
    # A message code and a published field have the same name.
    assert {one for one in found if one[1] != "entity_fishing"} == set()


def test_the_web_app_names_components_in_one_module_with_the_same_defaults() -> None:
    studio = CORE.parents[1] / "webapp/src"
    home = studio / "api/resources/component-defaults.ts"
    names = ("rule_sentence", "lsa", "minilm", "BERTopic", "sklearn_topics", "EntityFishing")
    quoted = re.compile(rf"""['"`]({"|".join(names)})['"`]""")
    modules = [path for path in studio.rglob("*.ts*") if ".test." not in path.name and path.name != "schema.d.ts"]
    naming = {path.name for path in modules if "test" not in path.parts and quoted.search(path.read_text("utf-8"))}
    assert naming == {home.name}
    text = home.read_text("utf-8")
    assert f"DEFAULT_SEGMENTER = '{product_defaults().segmenter.name}'" in text
    assert f"DEFAULT_VECTORIZER = '{product_defaults().vectorizer.name}'" in text
