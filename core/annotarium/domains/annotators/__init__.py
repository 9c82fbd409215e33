"""Annotators: everything trained or planned that can annotate a text or the corpus."""
