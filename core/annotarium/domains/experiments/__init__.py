"""Experiments: learners with parameters, trained and measured."""
