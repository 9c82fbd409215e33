"""Background work: rows of the record first, a queue second."""
