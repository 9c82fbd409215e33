"""Thousands of ids as a single parameter: binding each id separately takes longer than finding its row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
from sqlalchemy import BigInteger, ColumnElement, any_, cast, func, literal
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import InstrumentedAttribute, Session


def in_ids_clause(session: Session, column: InstrumentedAttribute[Any], ids: Sequence[int]) -> ColumnElement[bool]:
    """True for rows whose column contains one of the ids, for the dialect of the session."""
    if session.get_bind().dialect.name == "postgresql":
        return column == any_(cast(literal(list(ids), ARRAY(BigInteger)), ARRAY(BigInteger)))
    return column.in_(func.json_each(orjson.dumps(list(ids)).decode()).table_valued("value").select())
