"""Rules about documents and labelling that several domains share. Each part has its own repository."""
