"""Readers of RDF: Turtle, N-Triples, RDF/XML and JSON-LD."""
