"""The knowledge base: what terms stand for. It is a local one, loaded from a file; nobody outside is asked."""
