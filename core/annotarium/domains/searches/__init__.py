"""Searches that people keep, share, and begin with."""
