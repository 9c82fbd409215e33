"""Alembic's environment: takes the engine that `db.migrate` hands over."""

from __future__ import annotations

from alembic import context

from annotarium.db.database import lock_database_preparation
from annotarium.db.models import Base

engine = context.config.attributes["engine"]

with engine.connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,
        compare_type=True,
        transaction_per_migration=False,
    )
    with context.begin_transaction():
        lock_database_preparation(connection)
        context.run_migrations()
    if connection.in_transaction():
        connection.commit()
