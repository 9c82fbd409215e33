"""Published request and response models of sign-in."""

from __future__ import annotations

from typing import Annotated

from fastapi import Header
from pydantic import StringConstraints

from annotarium_schemas.shape import Shape

UserAgent = Annotated[str, Header(include_in_schema=False)]
"""The `User-Agent` header of the client; stored with the sign-in."""


class Credentials(Shape):
    """`email` carries the user name (conflicts 46)."""

    email: Annotated[str, StringConstraints(min_length=1, max_length=255)]
    password: Annotated[str, StringConstraints(min_length=1, max_length=512)]


class BearerToken(Shape):
    """The token to send as `Authorization: Bearer <token>`."""

    access_token: str
    email: str

    model_config = Shape.model_config | {"alias_generator": None}


class Principal(Shape):
    """The signed-in user; `permissions` also contains the roles, as `role:<name>`."""

    username: str
    sso_login: bool = False
    profilename: str
    permissions: list[str]
    roles: list[str]
