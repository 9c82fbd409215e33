"""The published description of the API: names, examples and shapes that clients rely on."""
