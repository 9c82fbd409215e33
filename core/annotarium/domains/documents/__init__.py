"""Documents: search, export, reading, metadata, deletion."""
