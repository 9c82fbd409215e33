"""Built-in converters."""
