"""Relations: directed, named links between annotations of a document."""
