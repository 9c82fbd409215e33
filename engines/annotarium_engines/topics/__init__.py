"""Engines that find the topics of a corpus."""
