"""What the documents of a project have in common: metadata, origins, alternative texts."""
