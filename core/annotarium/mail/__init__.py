"""E-mail: notifications when a job ends, for users who request one at its start, and invitations to projects.

Off unless an SMTP server is set.
"""
