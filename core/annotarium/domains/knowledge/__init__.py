"""The knowledge base of concepts that terms refer to, from a file, from lexicons and from a configured server."""
