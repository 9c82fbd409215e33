"""The available themes: only the built-in one, which cannot be changed. Custom themes are not implemented."""

from __future__ import annotations

from typing import Any

from annotarium.domains.themes.schemas import Scope, ThemeConfig, ThemeRead
from annotarium.domains.themes.translations import translate_titles
from annotarium.errors import NotFound
from annotarium.registry.parameter_schema import parameters_schema, ui_schema
from annotarium_schemas.messages import message

BUILT_IN = "default"


def _built_in_theme() -> ThemeRead:
    return ThemeRead(id=BUILT_IN, label="Annotarium", config=ThemeConfig(), shared=True)


def list_themes(scope: Scope | None) -> list[ThemeRead]:
    """Themes of a scope (None = all). The built-in one belongs to the scope `platform`."""
    return [_built_in_theme()] if scope in (None, "platform") else []


def read_theme(theme_id: str) -> ThemeRead:
    if theme_id != BUILT_IN:
        raise NotFound(message("none.theme", "There is no theme {name}", name=theme_id))
    return _built_in_theme()


def favorite_theme() -> ThemeRead:
    """The theme to use: always the built-in one, as none can be chosen (conflicts 36)."""
    theme = _built_in_theme()
    theme.not_user_specific = True
    return theme


def theme_config_form(*, with_hints: bool, language: str) -> dict[str, Any]:
    """The JSON Schema of a configuration; with `with_hints` the form: schema, UI hints and default values."""
    schema = translate_titles(parameters_schema(ThemeConfig, title="Theme"), language)
    if not with_hints:
        return schema
    return {"schema": schema, "uiSchema": ui_schema(schema), "defaults": default_theme_config()}


def default_theme_config() -> dict[str, Any]:
    """The configuration with all default values."""
    return ThemeConfig().model_dump(mode="json", exclude_none=True)
