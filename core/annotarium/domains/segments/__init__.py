"""Segments of documents: search, similar segments, context, vectors."""
