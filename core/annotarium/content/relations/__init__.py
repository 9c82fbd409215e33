"""Relations between annotations, wherever they are read, told of or brought in: names, wire, SQL."""
