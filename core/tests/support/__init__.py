"""Shared helpers of the tests: factories, forged files, servers, random input. Contains no tests."""
