"""Segments: search and context of the pieces documents are cut into."""
