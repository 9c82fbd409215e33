"""What experiments and suggesters share: a named row with an engine, its parameters, and a job that trains it."""
