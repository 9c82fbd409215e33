"""The embedded engine: one SQLite file per project and kind of index, which many processes may read and write."""
