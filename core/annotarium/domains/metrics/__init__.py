"""Metrics: what a corpus holds, counted."""
