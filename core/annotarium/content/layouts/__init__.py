"""The layout of texts, and their HTML versions."""
