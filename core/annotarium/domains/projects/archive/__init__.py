"""Project archives (`.spa`) and model archives: written as a stream, read whole or not at all."""
