"""Private files, file locks and image headers: the ground floor, which imports nothing above it."""
