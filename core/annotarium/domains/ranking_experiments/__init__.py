"""Experiments that compare searches and answers on saved questions (R-022, S-045)."""
