"""Annotators that use models trained elsewhere."""
