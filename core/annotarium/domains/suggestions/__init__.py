"""Suggestions that wait for a user's answer."""
