"""Starting, watching and stopping the processes of an installation, and what they do periodically."""
