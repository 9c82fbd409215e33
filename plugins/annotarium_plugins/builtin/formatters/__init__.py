"""Built-in formatters."""
