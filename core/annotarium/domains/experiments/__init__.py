"""Experiments: learners with parameters, their training and evaluation."""
