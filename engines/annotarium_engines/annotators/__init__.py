"""Annotators that need no training here."""
