"""The published API description: names, examples and schemas that clients rely on."""
