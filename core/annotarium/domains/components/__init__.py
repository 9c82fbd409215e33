"""The components a project can use, and the forms of their parameters."""
