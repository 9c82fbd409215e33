"""What annotations and categories have in common: changes, counts, bulk deletion."""
