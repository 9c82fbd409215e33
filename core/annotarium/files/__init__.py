"""Private files, file locks and image headers: the lowest layer, which imports nothing from others."""
