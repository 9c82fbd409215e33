"""The knowledge base of concepts that terms refer to, loaded from a file; no external service is queried."""
