"""Shapes of the shell."""

from __future__ import annotations

from pydantic import Field

from annotarium_schemas.shape import Shape


class CurrentUser(Shape):
    """Who is signed in."""

    username: str
    sso_login: bool = False


class DocumentLevelAccessControl(Shape):
    """Whether documents may belong to an originating group."""

    enabled: bool
    show_warning_message: bool


class AnnotationDetails(Shape):
    """Where details of an annotation come from."""

    entity_fishing: bool
    wikipedia_image: bool


class PasswordPolicy(Shape):
    """C-042."""

    min_length: int


class Available(Shape):
    """Natures a project may have, features behind a gate."""

    natures: list[str]
    features: list[str]


class SessionSettings(Shape):
    """C-001; 0 = the session does not expire."""

    expires_in_minutes: int


class Configuration(Shape):
    """The interface configuration."""

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
    """Whether this server sends e-mail (ours)."""
    debug: bool = False


class BuildInfo(Shape):
    """What runs here; `imageTags` are the tags of the container images, by part."""

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
