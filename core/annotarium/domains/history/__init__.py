"""History of a document's labelling: who changed what; undo, redo and restore."""
