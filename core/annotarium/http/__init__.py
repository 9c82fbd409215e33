"""The HTTP layer: routes, limits, errors, static files. Independent of the domains."""
