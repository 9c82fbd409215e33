"""Rules about documents and labelling that several domains share; each part has one repository."""
