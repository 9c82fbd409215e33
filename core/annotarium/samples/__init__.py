"""Samples of files that can be imported, written for this project."""
