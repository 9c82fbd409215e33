"""The default components: named in one file, which an administrator's file overrides."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import annotarium
from annotarium.content.segmenter_choice import SegmenterChoice
from annotarium.errors import InvalidInput
from annotarium.registry.defaults import component_defaults, product_defaults
from annotarium.settings import get_settings
from annotarium_plugins.kinds import KIND_BY_NAME
from annotarium_schemas.plans import QUESTION_STEP_KINDS

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
        ("[clustering]\nparameters = {}", "clustering.learners"),
        ('[clustering]\nlearners = ["x", 3]', "clustering.learners.1"),
        ('[[predefined]]\nkey = "a b"', "predefined.0.key"),
        ("[[predefined]]\nsteps = []", "predefined.0.steps"),
        ('[[predefined]]\nsteps = [{kind = "learner", name = "x"}]', "predefined.0.steps.0.kind"),
        (
            '[[predefined]]\nkey = "a"\ntype = "plan"\nlabels = "media"\nsteps = [{kind="suggester", name="x"}]',
            "a suggester has one step",
        ),
        (
            '[[predefined]]\nkey = "a"\ntype = "suggester"\nlabels = "media"\nsteps = [{kind="processor", name="x"}]',
            "a suggester has one step",
        ),
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


def proposed() -> set[tuple[str, str]]:
    """Kinds and names of the components of the product's file."""
    defaults = product_defaults()
    steps = [step for made in defaults.predefined for step in made.steps]
    return {
        ("segmenter", defaults.segmenter.name),
        ("segmenter", defaults.document_segmenter.name),
        ("vectorizer", defaults.vectorizer.name),
        *((kind, defaults.question_component(kind)) for kind in QUESTION_STEP_KINDS),
        *(("learner", name) for name in defaults.clustering.learners),
        *((step.kind, step.name) for step in steps),
    }


def test_the_defaults_are_components_of_the_product() -> None:
    """C-074, C-075: each predefined component is registered, whether or not this server is set up for it."""
    groups = tomllib.loads((CORE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    unknown = {(kind, name) for kind, name in proposed() if name not in groups.get(KIND_BY_NAME[kind].group, ())}
    assert unknown == set()


def _names_of_components() -> set[str]:
    """Those of the product and of the defaults, save plain words."""
    project = tomllib.loads((CORE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["project"]["entry-points"]
    kinds = ("segmenters", "learners", "annotators", "processors", "suggesters", "vectorizers")
    names = {name for kind in kinds for name in groups[f"annotarium.{kind}"]}
    return (names | {name for _, name in proposed()}) - PLAIN_WORDS


def _strings(path: Path) -> set[str]:
    """Return the string literals of a module."""
    return {
        node.value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_no_module_of_the_server_names_a_component() -> None:
    names = _names_of_components()
    found = {(path.name, text) for path in CORE.rglob("*.py") for text in _strings(path) & names}
    # A message code and a published field have the same name.
    assert {one for one in found if one[1] != "entity_fishing"} == set()


def test_no_module_of_the_studio_names_a_component() -> None:
    """Texts for people may (`locales/`): what to install for a component is told by its name."""
    studio = CORE.parents[1] / "webapp/src"
    quoted = re.compile(rf"""['"`.]({"|".join(map(re.escape, sorted(_names_of_components())))})['"`]""")
    modules = [path for path in studio.rglob("*.ts*") if ".test." not in path.name and path.name != "schema.d.ts"]
    assert len(modules) > 300
    assert [path.name for path in modules if quoted.search(path.read_text("utf-8"))] == []


def test_the_tests_of_the_studio_get_what_the_server_sends() -> None:
    """`webapp/src/test/component-defaults.json`; `make schemas` writes it."""
    path = CORE.parents[1] / "webapp/src/test/component-defaults.json"
    assert json.loads(path.read_text("utf-8")) == product_defaults().model_dump(mode="json")
