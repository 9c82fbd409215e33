"""Checks whether the project already has a document exactly as an import contains it."""
