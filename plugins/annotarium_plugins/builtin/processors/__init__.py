"""Built-in processors."""
