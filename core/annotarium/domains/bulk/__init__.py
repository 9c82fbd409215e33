"""Bulk actions: what is done to everything a search finds, and taking it back."""
