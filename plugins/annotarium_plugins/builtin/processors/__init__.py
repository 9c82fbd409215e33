"""Processors: they change what is on a document."""
