"""Uploads, project images and samples."""
