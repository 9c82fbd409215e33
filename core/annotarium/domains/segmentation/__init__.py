"""Segmentation: recomputing the segments of a project's documents."""
