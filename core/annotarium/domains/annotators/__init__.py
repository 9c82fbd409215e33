"""Annotators: trained models and plans that can annotate a text or the corpus."""
