"""who was given others' labelling by name goes on reading all creation modes of it.

Until now somebody without any `readModeAnnot` permission read every mode; from now on none. Roles of the product get
theirs at the start.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_ALL = "readModeAnnot:all"


def upgrade() -> None:
    connection = op.get_bind()
    for name in ("roles", "users"):
        table = sa.table(name, sa.column("id", sa.BigInteger), sa.column("permissions", sa.JSON))
        for row in connection.execute(sa.select(table.c.id, table.c.permissions)).all():
            held = row.permissions
            if not isinstance(held, list) or not all(isinstance(one, str) for one in held):
                continue
            others = any(one.startswith("readUserAnnot:") for one in held)
            if others and not any(one.startswith("readModeAnnot:") for one in held):
                values = {"permissions": sorted([*held, _ALL])}
                connection.execute(table.update().where(table.c.id == row.id).values(values))
