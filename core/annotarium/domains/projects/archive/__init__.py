"""Project archives (`.spa`) and model archives. They are written as a stream, and imported completely or not at all."""
