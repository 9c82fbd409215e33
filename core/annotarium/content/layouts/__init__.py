"""What texts looked like, and their HTML versions."""
