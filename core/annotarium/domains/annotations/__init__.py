"""Annotations: labelled spans."""
