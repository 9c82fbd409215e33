"""Invitations: links that give a share of a project to the signed-in users who accept them."""
