"""Themes: colours and texts of the web app."""
