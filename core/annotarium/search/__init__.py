"""Search: the query language, what engines offer, the embedded engine. Knows nothing of SQL models or the API."""
