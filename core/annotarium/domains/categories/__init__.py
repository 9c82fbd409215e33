"""Categories: labels on documents and sentences."""
