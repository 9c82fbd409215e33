"""Metadata, origins and alternative texts across the documents of a project."""
