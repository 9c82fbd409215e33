"""Writes the next migration from the difference between the models and a newly migrated database."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from alembic import command
from alembic.script import ScriptDirectory

from annotarium.db.database import Database
from annotarium.db.migrate import alembic_config, upgrade_database


def main() -> None:
    """`python core/tools/make_migration.py "what changed"`."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'empty.sqlite'}")
        upgrade_database(database)
        config = alembic_config(database)
        number = len(list(ScriptDirectory.from_config(config).walk_revisions())) + 1
        command.revision(config, message=sys.argv[1], autogenerate=True, rev_id=f"{number:04d}")


if __name__ == "__main__":
    main()
