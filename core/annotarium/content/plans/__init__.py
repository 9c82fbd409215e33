"""Plans at work: which ones of a project are active, and running them on documents."""
