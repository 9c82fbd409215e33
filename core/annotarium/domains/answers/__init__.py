"""Answers that are still computed, and what people say about answers."""
