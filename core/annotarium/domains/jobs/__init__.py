"""Jobs as people see them."""
