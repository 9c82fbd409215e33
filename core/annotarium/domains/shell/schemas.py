"""Schemas of the shell endpoints."""

from __future__ import annotations

from pydantic import Field

from annotarium_schemas.shape import Shape


class CurrentUser(Shape):
    """The signed-in user."""

    username: str
    sso_login: bool = False


class DocumentLevelAccessControl(Shape):
    """Whether documents may belong to an origin group."""

    enabled: bool
    show_warning_message: bool


class AnnotationDetails(Shape):
    """Which sources of details about annotations are available."""

    entity_fishing: bool
    wikipedia_image: bool


class PasswordPolicy(Shape):
    """Rules for passwords (C-042)."""

    min_length: int


class Available(Shape):
    """Natures a project may have, and optional features that are enabled."""

    natures: list[str]
    features: list[str]


class SessionSettings(Shape):
    """Lifetime of a session in minutes (C-001); 0 = it does not expire."""

    expires_in_minutes: int


class Configuration(Shape):
    """The configuration of the user interface."""

    document_level_access_control: DocumentLevelAccessControl
    back_button: str | None = None
    ai_usage_warning: bool = False
    user_feedbacks: bool = False
    annotation_details: AnnotationDetails
    password_policy: PasswordPolicy
    max_labels_count: int
    sso: bool
    corporation: str | None = None
    air_gapped: bool
    available: Available
    logout_redirect_url: str | None = None
    session: SessionSettings
    email_notifications: bool = False
    """Whether this server sends e-mail (extension)."""
    debug: bool = False


class BuildInfo(Shape):
    """Version and build; `imageTags` are the tags of the container images, by part."""

    version: str
    build_id: str
    image_tags: dict[str, str] = Field(default_factory=dict)


class PartHealth(Shape):
    """One part of the server."""

    ok: bool
    message: str = ""


class Health(Shape):
    """`ok` or `failing`, with each part."""

    status: str
    parts: dict[str, PartHealth] = Field(default_factory=dict)
