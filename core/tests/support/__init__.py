"""Support."""
