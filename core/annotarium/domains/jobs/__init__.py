"""Jobs: listing, reading, waiting for, cancelling, and their reports."""
