"""Suggestions: proposals waiting for an answer."""
