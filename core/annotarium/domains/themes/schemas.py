"""Schemas of themes, as published. Colours are `#RRGGBB`; an absent one means the default of the web app."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from annotarium_plugins.parameters import hint
from annotarium_schemas.shape import Command, Shape

Scope = Literal["platform", "group", "user"]
Colour = Annotated[str, StringConstraints(pattern=r"^#[0-9A-Fa-f]{6}$")]
PRIMARY, SECONDARY = "#1976D2", "#EEEEEE"
"""The default colours (C-087)."""


def _colour_field(title: str, default: str | None = None) -> Any:
    return Field(default, title=title, json_schema_extra=hint(widget="color"))


class DarkColours(Command):
    """Colours of dark mode."""

    primary: Colour = _colour_field("Primary colour", PRIMARY)
    secondary: Colour = _colour_field("Secondary colour", SECONDARY)


class LightColours(Command):
    """Colours of light mode."""

    primary: Colour = _colour_field("Primary colour", PRIMARY)
    secondary: Colour = _colour_field("Secondary colour", SECONDARY)


class ColourSets(Command):
    """The colours of both modes."""

    dark: DarkColours = Field(default_factory=DarkColours, title="Dark")
    light: LightColours = Field(default_factory=LightColours, title="Light")


class VuetifyConfig(Command):
    """Colours; named as in the published API."""

    dark: bool = Field(False, title="Dark at first")
    themes: ColourSets = Field(default_factory=ColourSets, title="Colours")


class GeneralAppBar(Command):
    """The top bar."""

    bar_color: Colour | None = _colour_field("Colour of the bar")
    text_color: Colour | None = _colour_field("Colour of the text")
    icon_color: Colour | None = _colour_field("Colour of the icons")
    logo_is_grey: bool = Field(True, title="Grey logo")
    logo_is_white: bool = Field(False, title="White logo")


class GeneralToolbar(Command):
    """The second bar."""

    bar_color: Colour | None = _colour_field("Colour of the bar")
    text_color: Colour | None = _colour_field("Colour of the text")


class GeneralFooter(Command):
    """The bottom bar."""

    footer_color: Colour | None = _colour_field("Colour of the bar")
    text_color: Colour | None = _colour_field("Colour of the text")


class GeneralConfig(Command):
    """Settings for all pages."""

    app_bar: GeneralAppBar = Field(default_factory=GeneralAppBar, title="Top bar")
    bar: GeneralToolbar = Field(default_factory=GeneralToolbar, title="Second bar")
    footer: GeneralFooter = Field(default_factory=GeneralFooter, title="Bottom bar")


class ThemeMedia(Command):
    """Addresses of the pictures and the video."""

    app_bar_image: str | None = Field(None, title="Picture of the top bar")
    bg_image: str | None = Field(None, title="Picture of the sign-in page")
    bg_video: str | None = Field(None, title="Film of the sign-in page")


class SigninAppBar(GeneralAppBar):
    """The top bar of the sign-in page."""

    text: str = Field("Annotarium", title="Text")


class SigninCardMainTitles(Command):
    """Title of the sign-in page; absent = the default one."""

    en: str | None = Field(None, title="English")
    fr: str | None = Field(None, title="French")


class SigninCardSubtitles(SigninCardMainTitles):
    """Subtitle of the sign-in page; an absent one is the studio's own."""


class SigninCardForm(Command):
    """The form of the sign-in page."""

    main_title: SigninCardMainTitles = Field(default_factory=SigninCardMainTitles, title="Title")
    subtitle: SigninCardSubtitles = Field(default_factory=SigninCardSubtitles, title="Subtitle")
    card_bg_color: Colour | None = _colour_field("Colour of the card")
    card_border_color: Colour | None = _colour_field("Colour of the border")
    card_dark_mode: bool = Field(False, title="Dark card")
    card_opacity: float = Field(1.0, ge=0.0, le=1.0, title="Opacity of the card")
    text_color: Colour | None = _colour_field("Colour of the text")
    btn_color: Colour | None = _colour_field("Colour of the button")
    btn_text_color: Colour | None = _colour_field("Colour of the button's text")


class SigninFooter(GeneralFooter):
    """The bottom bar of the sign-in page."""


class SigninConfig(Command):
    """The sign-in page."""

    app_bar: SigninAppBar = Field(default_factory=SigninAppBar, title="Top bar")
    card_form: SigninCardForm = Field(default_factory=SigninCardForm, title="Form")
    footer: SigninFooter = Field(default_factory=SigninFooter, title="Bottom bar")


class AppConfig(Command):
    """Everything except the colours."""

    general: GeneralConfig = Field(default_factory=GeneralConfig, title="All pages")
    media: ThemeMedia = Field(default_factory=ThemeMedia, title="Pictures and film")
    signin: SigninConfig = Field(default_factory=SigninConfig, title="Sign-in page")


class ThemeConfig(Command):
    """A whole configuration."""

    vuetify: VuetifyConfig = Field(default_factory=VuetifyConfig, title="Colours")
    app: AppConfig = Field(default_factory=AppConfig, title="Pages")


class ThemeRead(Shape):
    """A theme. `favorite`: of the caller; `platformFavorite`: of all users; `shared`: everyone may choose it."""

    id: str
    label: str
    config: ThemeConfig
    created_at: str | None = None
    created_by: str | None = None
    modified_at: str | None = None
    modified_by: str | None = None
    favorite: bool = False
    platform_favorite: bool = False
    shared: bool = False
    not_user_specific: bool | None = None
