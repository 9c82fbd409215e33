"""Comments on documents, spans, annotations and suggestions: threads with replies, mentions, resolved or open."""
