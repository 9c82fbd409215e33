"""Mutation testing: small faults put into a copy of the code, to see whether the tests notice. See `__main__`."""
