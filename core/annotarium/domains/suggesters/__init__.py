"""Suggesters: they train while users annotate and suggest what to look at next."""
