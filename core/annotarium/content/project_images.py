"""Images of projects: uploaded files that are stored permanently once a project uses them."""

from __future__ import annotations

from pathlib import Path

from annotarium.access.call import Call
from annotarium.content import repository
from annotarium.db.models import Upload
from annotarium.errors import InvalidInput
from annotarium.settings import get_settings
from annotarium_schemas.messages import message


def image_path(image_id: str) -> Path:
    """Return the path of an image. `image_id` must come from the database, never from a request."""
    return get_settings().images_folder / image_id


def may_read_image(call: Call, image: Upload) -> bool:
    """Return whether the caller uploaded an image, or may read a project that uses it."""
    if image.user_id == call.access.user_id:
        return True
    return any(call.access.rights_on(one).read for one in repository.projects_with_image(call.session, image.id))


def keep_image(call: Call, image_id: str, *, own: bool = True) -> None:
    """Store an image permanently, because a project uses it.

    Args:
        own: the image must be the caller's own upload.

    Raises:
        InvalidInput: there is no such image.
    """
    image = repository.find_image(call.session, image_id)
    if image is None or (own and image.user_id != call.access.user_id) or not image_path(image.id).is_file():
        raise InvalidInput(
            message("none.image", "The image was not uploaded"),
            fix="Upload it again",
            details=[{"field": "imageId", "message": "Unknown"}],
        )
    image.expires_at = None
