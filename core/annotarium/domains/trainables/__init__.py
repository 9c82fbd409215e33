"""Common base of experiments and suggesters: a named row with an engine, its parameters, and a job that trains it."""
