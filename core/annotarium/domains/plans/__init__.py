"""Plans of a project: chains of components that users configure, mark as favourite and activate."""
