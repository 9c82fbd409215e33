"""Describing a component gives a form; building it validates the values of the form."""

from typing import Literal

import jsonschema
import pytest
from pydantic import Field

from annotarium.errors import InvalidInput
from annotarium.registry import get_registry
from annotarium.registry.component_report import _check_form_hints, check_component_texts
from annotarium.registry.locales import component_texts_or_empty, translate_schema
from annotarium.registry.parameter_schema import default_values, parameters_schema, ui_schema
from annotarium_plugins.builtin.segmenters.regex import RegexSegmenter
from annotarium_plugins.parameters import Parameters, hint
from annotarium_schemas.messages import message_of


class Rule(Parameters):
    """A nested model."""

    pattern: str = Field(title="Pattern", json_schema_extra=hint(widget="code"))
    weight: float | None = Field(None, title="Weight")


class Everything(Parameters):
    """Docstrings are for programmers, not for the form."""

    name: str = Field(title="Name")
    limit: int | None = Field(None, title="Limit", ge=1, json_schema_extra=hint(advanced=True, unit="MB"))
    mode: Literal["fast", "slow"] | None = Field("fast", title="Mode")
    either: int | str | None = Field(None, title="Either")
    rules: list[Rule] = Field(default=[], title="Rules")
    first: Rule | None = Field(None, title="First rule")
    level: float = Field(0.5, ge=0, le=1, title="Level", json_schema_extra=hint(widget="slider"))


OPTIONAL = {
    ("vectorizer", "minilm"),
    ("learner", "BERTopic"),
    ("learner", "transformer_text_classifier"),
    ("learner", "transformer_token_classifier"),
    ("annotator", "spacy_ner"),
    ("annotator", "entity_fishing"),
    ("suggester", "EntityFishing"),
    ("questionAnswerer", "language_model_answerer"),
}
"""Components that are unavailable if their package is not installed."""


def test_a_parameter_schema_is_ready_for_a_form():
    schema = parameters_schema(Everything, title="My component")
    jsonschema.Draft202012Validator.check_schema(schema)
    fields = schema["properties"]
    assert schema["title"] == "My component"
    assert "description" not in schema
    assert "null" not in str(schema), "an optional field must not ask for a type"
    assert "$ref" not in str(schema)
    assert fields["limit"] == {"type": "integer", "minimum": 1, "title": "Limit", "x-advanced": True, "x-unit": "MB"}
    assert fields["mode"]["enum"] == ["fast", "slow"]
    assert fields["either"]["anyOf"] == [{"type": "integer"}, {"type": "string"}]
    assert fields["rules"]["items"]["properties"]["pattern"]["x-widget"] == "code"
    assert fields["first"]["title"] == "First rule"
    rule = fields["rules"]["items"]
    assert (rule["title"], "description" in rule) == ("", False), "class names and docstrings are for programmers"
    assert schema["required"] == ["name"]


def test_form_hints_and_default_values():
    hints = ui_schema(parameters_schema(Everything, title=""))
    assert hints["ui:order"] == list(Everything.model_fields)
    assert hints["limit"] == {"ui:options": {"advanced": True, "unit": "MB"}}
    assert hints["level"] == {"ui:widget": "range"}
    assert hints["rules"]["items"]["pattern"] == {"ui:widget": "code"}
    assert default_values(Everything) == {"mode": "fast", "rules": [], "level": 0.5}


def test_defaults_of_own_components_are_valid():
    registry = get_registry()
    for info in registry.list():
        if info.distribution == "annotarium":
            description = registry.describe(info.kind, info.name)
            if (info.kind, info.name) in OPTIONAL and description.info.state == "unavailable":
                continue
            assert description.info.state == "available", description.info.reason
            jsonschema.validate(description.defaults, description.parameters_schema)
            registry.build(info.kind, info.name, description.defaults)


def test_invalid_parameters_are_reported_by_field():
    with pytest.raises(InvalidInput) as caught:
        get_registry().build("segmenter", "regex", {"pattern": "(", "time_limit": "soon", "colour": "red"})
    details = {detail["field"]: detail["message"] for detail in caught.value.details}
    assert set(details) == {"pattern", "time_limit", "colour"}
    assert details["pattern"].startswith("Not a regular expression")
    assert message_of(message=details["pattern"])["message"]["code"] == "fault.regex"  # type: ignore[index]
    assert details["colour"] == "This parameter does not exist"


def test_nan_is_refused_as_a_parameter():
    with pytest.raises(InvalidInput):
        get_registry().validate("segmenter", "regex", {"time_limit": float("nan")})


def test_description_in_french():
    english = get_registry().describe("segmenter", "rule_sentence")
    french = get_registry().describe("segmenter", "rule_sentence", language="fr")
    assert english.title == "Sentences"
    assert french.title == french.parameters_schema["title"] == "Phrases"
    field = french.parameters_schema["properties"]["newlines"]
    assert field["title"] == "Retours à la ligne"
    assert {"const": "never", "title": "Aucun"} in field["oneOf"]
    assert english.parameters_schema["properties"]["newlines"]["title"] == "Line breaks"


@pytest.mark.parametrize("language", ["de", "../../fr", "", "FR", "x" * 300])
def test_an_untranslated_language_falls_back_to_english(language):
    assert get_registry().describe("segmenter", "regex", language=language).title == "Regular expression"


def test_translating_does_not_modify_the_schema():
    schema = parameters_schema(RegexSegmenter.parameters_model, title="R")
    words = component_texts_or_empty(RegexSegmenter, "regex", "fr")
    translated = translate_schema(schema, words.parameters)
    assert translated["properties"]["pattern"]["title"] == "Motif"
    assert schema["properties"]["pattern"]["title"] == "Pattern"


def test_extensions_are_listed():
    registry = get_registry()
    assert registry.describe("converter", "txt").extensions == ("txt", "text", "log", "md")
    formatter = registry.describe("formatter", "json")
    assert (formatter.extensions, formatter.content_type) == (("json",), "application/json")


def test_builtin_components_are_translated_completely():
    registry = get_registry()
    findings = []
    for info in registry.list():
        if (info.kind, info.name) in OPTIONAL and registry.describe(info.kind, info.name).info.state == "unavailable":
            continue
        cls = registry.component_class(info.kind, info.name)
        if cls.__module__.startswith("annotarium_plugins.builtin."):
            findings += [f"{info.kind} {info.name}: {words}" for _, words in check_component_texts(cls, info.name)]
    assert findings == []


def test_parameters_name_the_algorithms_they_apply_to():
    """The form hides them: the penalties of L-BFGS mean nothing to a perceptron."""
    properties = get_registry().describe("learner", "crf").parameters_schema["properties"]
    conditional = {name: field["x-applies-when"] for name, field in properties.items() if "x-applies-when" in field}
    assert conditional == {"c1": {"algorithm": ["lbfgs"]}, "c2": {"algorithm": ["lbfgs"]}}
    assert list(_check_form_hints({"properties": properties})) == []
    lost = {"c1": {"x-applies-when": {"method": ["lbfgs"]}}}
    ((level, words),) = _check_form_hints({"properties": lost})
    assert (level, words) == ("warning", "c1 depends on the unknown parameter 'method'")
