"""Relations between annotations, shared by all domains that read, import or notify about them: names, JSON, SQL."""
