"""How requests come in and answers go out: routes, limits, errors, static files. It knows no domain."""
