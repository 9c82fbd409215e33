"""Themes: the built-in one, read-only; its configuration and form."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support import published_api as description

from annotarium.domains.themes.translations import FRENCH_TITLES

PATHS = (
    "/api/themes",
    "/api/themes/_favorite",
    "/api/themes/_base_config",
    "/api/themes/_schema",
    "/api/themes/default",
)


def described(name: str) -> dict[str, Any]:
    contract = description.read_published_api()
    return {"$ref": f"#/components/schemas/{name}", "components": contract["components"]}


def titles(schema: dict[str, Any]) -> list[str]:
    found = [schema["title"]] if "title" in schema else []
    return found + [title for field in schema.get("properties", {}).values() for title in titles(field)]


@pytest.mark.parametrize("path", PATHS)
def test_permissions_to_read_themes(client: Any, as_user: Any, path: str) -> None:
    assert client.get(path).status_code == 401
    assert as_user(client, "marie").get(path).status_code == 200


def test_the_built_in_theme_belongs_to_the_platform(client: Any, as_user: Any) -> None:
    marie = as_user(client, "marie")
    (theme,) = marie.get("/api/themes").json()
    assert (theme["id"], theme["label"], theme["shared"], theme["favorite"]) == ("default", "Annotarium", True, False)
    assert theme["config"]["vuetify"]["themes"]["dark"] == {"primary": "#1976D2", "secondary": "#EEEEEE"}
    assert marie.get("/api/themes", params={"scope": "platform"}).json() == [theme]
    assert marie.get("/api/themes", params={"scope": "user"}).json() == []
    assert marie.get("/api/themes", params={"scope": "galaxy"}).status_code == 400
    assert marie.get("/api/themes/default").json() == theme
    assert marie.get("/api/themes/none").status_code == 404


def test_the_built_in_theme_is_the_default(client: Any, as_user: Any) -> None:
    """Conflict 36 of the contract: always 200; the built-in theme if none was chosen, marked as such."""
    chosen = as_user(client, "marie").get("/api/themes/_favorite").json()
    assert (chosen["id"], chosen["notUserSpecific"]) == ("default", True)


def test_the_configuration_form_is_described(client: Any, as_user: Any) -> None:
    marie = as_user(client, "marie")
    schema = marie.get("/api/themes/_schema").json()
    base = marie.get("/api/themes/_base_config").json()
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(base)
    wrong = {"vuetify": {"themes": {"dark": {"primary": "red"}}}}
    assert not Draft202012Validator(schema).is_valid(wrong)
    form = marie.get("/api/themes/_schema", params={"uiSchema": True}, headers={"accept-language": "fr-FR"}).json()
    assert (form["defaults"], form["schema"]["properties"]["app"]["title"]) == (base, "Pages")
    light = form["uiSchema"]["vuetify"]["themes"]["light"]
    assert light["primary"] == {"ui:widget": "color"}
    assert set(titles(schema)) <= set(FRENCH_TITLES)
    assert titles(form["schema"]) == [FRENCH_TITLES[title] for title in titles(schema)]


@pytest.mark.skipif(not description.PUBLISHED_FILE.is_file(), reason=description.MISSING)
def test_responses_match_the_published_schema(client: Any, as_user: Any) -> None:
    marie = as_user(client, "marie")
    extra = {"favorite", "platformFavorite", "shared", "notUserSpecific"}  # conflict 36 of the contract
    for theme in (*marie.get("/api/themes").json(), marie.get("/api/themes/_favorite").json()):
        plain = {key: value for key, value in theme.items() if key not in extra}
        Draft202012Validator(described("Theme")).validate(plain)
    Draft202012Validator(described("ThemeConfig")).validate(marie.get("/api/themes/_base_config").json())
