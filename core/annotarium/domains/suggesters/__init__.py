"""Suggesters: they train as people annotate and propose what to look at next."""
