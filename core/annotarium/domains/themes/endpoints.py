"""Endpoints of themes."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Header, Query

from annotarium.access.call import Call
from annotarium.access.guard import guarded
from annotarium.domains.themes import service
from annotarium.domains.themes.schemas import Scope, ThemeRead
from annotarium.http.routing import DomainRouter
from annotarium.registry.locales import language_of_header

router = DomainRouter(tags=["themes"])

GroupName = Annotated[str | None, Query(alias="groupName", description="Group of the scope `group`")]
Username = Annotated[str | None, Query(description="User of the scope `user`")]


@router.get("/themes", response_model_exclude_none=True)
@guarded(write=False)
def list_themes(
    call: Call, scope: Scope | None = None, group_name: GroupName = None, username: Username = None
) -> list[ThemeRead]:
    """Themes the caller may choose from."""
    return service.list_themes(scope)


@router.get("/themes/_base_config")
@guarded(write=False)
def base_config(call: Call) -> dict[str, Any]:
    """The configuration that new themes start from."""
    return service.default_theme_config()


@router.get("/themes/_favorite", response_model_exclude_none=True)
@guarded(write=False)
def favorite_theme(
    call: Call, scope: Scope | None = None, group_name: GroupName = None, username: Username = None
) -> ThemeRead:
    """The theme to use."""
    return service.favorite_theme()


@router.get("/themes/_schema")
@guarded(write=False)
def config_schema(
    call: Call,
    ui_schema: Annotated[
        bool, Query(alias="uiSchema", description="The whole form instead of the bare schema")
    ] = False,
    accept_language: Annotated[str, Header(alias="accept-language")] = "en",
) -> dict[str, Any]:
    """The JSON Schema of a theme's configuration, or the whole form."""
    return service.theme_config_form(with_hints=ui_schema, language=language_of_header(accept_language))


@router.get("/themes/{theme_id}", response_model_exclude_none=True)
@guarded(write=False)
def read_theme(call: Call, theme_id: str) -> ThemeRead:
    """One theme."""
    return service.read_theme(theme_id)
