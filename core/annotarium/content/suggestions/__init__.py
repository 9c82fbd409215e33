"""Which proposals of suggestions are unanswered, kept in the database so that lists are paged and counted there."""
