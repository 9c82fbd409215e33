"""Uploads, document imports, project images and samples."""
