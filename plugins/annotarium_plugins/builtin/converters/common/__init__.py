"""What the converters share: safe readers of packages and XML, faults in words, the text with its places."""
