"""Saved questions with known answers, and the judgements of passages for them."""
