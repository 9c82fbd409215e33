"""Bulk operations on everything that a search finds, and undoing them."""
