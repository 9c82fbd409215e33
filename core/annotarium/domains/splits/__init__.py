"""The training and test parts of a project's documents."""
