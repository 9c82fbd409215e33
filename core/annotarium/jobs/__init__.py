"""Background jobs: rows in the database first, a queue second."""
