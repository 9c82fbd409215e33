"""Built-in term importers."""
