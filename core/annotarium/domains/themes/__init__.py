"""Themes: how the studio looks."""
