"""Saved searches of users: private, shared, or used by default."""
