"""Base of the tables: naming convention, column types, the columns that most tables share."""

from __future__ import annotations

from typing import Annotated, Any

from sqlalchemy import JSON, BigInteger, Integer, MetaData, String, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from annotarium.db.identifiers import new_id, now_ms

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

BigInt = BigInteger().with_variant(Integer, "sqlite")  # SQLite's rowid alias must be declared as INTEGER
Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")

Identifier = Annotated[int, mapped_column(BigInt, primary_key=True, autoincrement=False, default=new_id)]
Reference = Annotated[int, mapped_column(BigInt)]
Timestamp = Annotated[int, mapped_column(BigInteger)]
"""Milliseconds since the Unix epoch, UTC."""
Name = Annotated[str, mapped_column(String(255))]
LongText = Annotated[str, mapped_column(Text)]
JsonObject = Annotated[dict[str, Any], mapped_column(Json)]
JsonList = Annotated[list[Any], mapped_column(Json)]
TextList = Annotated[list[str], mapped_column(Json)]


class Base(DeclarativeBase):
    """Base class of all tables."""

    metadata = MetaData(naming_convention=NAMING)


class Tracked:
    """Who created and last changed a row, and its version for `If-Match`."""

    created_at: Mapped[Timestamp] = mapped_column(default=now_ms)
    created_by: Mapped[Name] = mapped_column(default="")
    modified_at: Mapped[Timestamp] = mapped_column(default=now_ms)
    modified_by: Mapped[Name] = mapped_column(default="")
    version: Mapped[int] = mapped_column(default=1)


class Imported:
    """Who imported a row whose author is another person according to the file or archive; None if created here.

    The author's name is then stored as `db.imported_author_names.add_imported_prefix` formats it, which matches no
    account of this installation.
    """

    imported_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)
    imported_by: Mapped[str | None] = mapped_column(String(255), default=None)


class SoftDeleted:
    """A row that stays in the table when it is deleted, so that it can be restored."""

    deleted_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)
    deleted_by: Mapped[str | None] = mapped_column(String(255), default=None)
