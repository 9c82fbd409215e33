"""The train and test parts of a project's documents."""
