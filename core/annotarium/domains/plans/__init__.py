"""Plans of a project: chains of components that people set up, mark as favourite and make active."""
