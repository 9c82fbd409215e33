"""Helpers of the tests of term importers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_schemas.documents import Term


def read(
    component: Any, folder: Path, content: bytes, name: str, language: str = "xx", **given: Any
) -> tuple[list[Term], list[ItemError]]:
    """The terms and the problems of a file."""
    path = folder / "upload"
    path.write_bytes(content)
    importer = component(component.parameters_model(**given))
    found = list(importer.read(SourceFile(path=path, name=name, language=language)))
    terms = [one for one in found if isinstance(one, Term)]
    return terms, [one for one in found if isinstance(one, ItemError)]
