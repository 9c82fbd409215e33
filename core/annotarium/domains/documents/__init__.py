"""Documents: import, export, reading, deletion."""
