"""History of a document's labelling: who changed what, going back and forth."""
