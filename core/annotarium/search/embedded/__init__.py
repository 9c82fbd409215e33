"""The embedded engine: one SQLite file per project and kind of index, readable and writable by many processes."""
