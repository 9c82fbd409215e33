"""Facts of this installation, by key: the revision of rights, the version of the data."""

from __future__ import annotations

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, JsonObject


class InstanceFact(Base):
    """One fact."""

    __tablename__ = "instance_facts"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[JsonObject] = mapped_column(default=dict)
