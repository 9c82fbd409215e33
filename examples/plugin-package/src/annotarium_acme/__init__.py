"""Example components for Annotarium."""
