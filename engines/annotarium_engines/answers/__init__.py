"""Components that answer questions from passages."""
