"""Whether the project has a document already just as an import brings it."""
