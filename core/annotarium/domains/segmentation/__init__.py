"""Segmentation: cutting the documents of a project into segments again."""
