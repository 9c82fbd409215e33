"""Active plans of a project, and running plans on documents."""
