"""Search: query language, index contents, search engines, and indexing of the outbox."""
