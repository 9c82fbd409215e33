"""New projects made like an existing one: its labels, settings and plans, without its documents."""
