"""Configuration and build information of this installation."""

from __future__ import annotations

import os

from sqlalchemy.orm import Session

from annotarium import __version__
from annotarium.domains.knowledge.service import knowledge_status
from annotarium.domains.shell.schemas import (
    AnnotationDetails,
    Available,
    BuildInfo,
    Configuration,
    DocumentLevelAccessControl,
    PasswordPolicy,
    SessionSettings,
)
from annotarium.settings import get_settings

NATURES = ("sequence_labelling", "classification", "question_answering")


def read_ui_configuration(session: Session) -> Configuration:
    """The configuration of the user interface, the same for all users.

    Details of annotations come from the knowledge base of this server; they are disabled if it is empty.
    """
    settings = get_settings()
    concepts, pictures = knowledge_status(session)
    return Configuration(
        document_level_access_control=DocumentLevelAccessControl(
            enabled=settings.document_level_access,
            show_warning_message=settings.document_level_access and settings.document_level_access_warning,
        ),
        back_button=settings.back_button,
        ai_usage_warning=settings.ai_usage_warning,
        user_feedbacks=settings.user_feedbacks,
        corporation=settings.corporation,
        annotation_details=AnnotationDetails(entity_fishing=concepts, wikipedia_image=pictures),
        password_policy=PasswordPolicy(min_length=settings.password_min_length),
        max_labels_count=settings.max_labels_count,
        sso=settings.sso,
        air_gapped=settings.air_gapped,
        available=Available(natures=list(NATURES), features=["answers"]),
        logout_redirect_url=settings.logout_redirect_url,
        session=SessionSettings(expires_in_minutes=settings.session_minutes),
        email_notifications=settings.sends_mail,
        debug=settings.opens_in_debug,
    )


def build_info() -> BuildInfo:
    """Version and build. Build id and image tag come from environment variables set in the container image."""
    tag = os.environ.get("ANNOTARIUM_IMAGE_TAG", "")
    build_id = os.environ.get("ANNOTARIUM_BUILD_ID", __version__)
    return BuildInfo(version=__version__, build_id=build_id, image_tags={"annotarium": tag} if tag else {})
