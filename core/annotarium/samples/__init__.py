"""Samples of files that can be imported, written for this project."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent
# The wheel contains a copy (`pyproject.toml`); a checkout has the original.
_FILM_BIOGRAPHIES = (_FOLDER / "films.json", _FOLDER.parents[2] / "examples" / "corpora" / "films" / "documents.json")


def read_film_biographies() -> bytes:
    """Document JSON of short biographies of film makers, a part of them annotated."""
    return next(path for path in _FILM_BIOGRAPHIES if path.is_file()).read_bytes()
