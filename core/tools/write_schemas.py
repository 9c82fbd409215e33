"""Writes what is generated from the code: `schemas/annotarium_schemas/json/` (openapi.json and the JSON Schemas of the
shapes that cross a border) and the English message catalogue of the studio.

`python core/tools/write_schemas.py --check` only compares; the test command runs that.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from message_catalogue import ENGLISH_FILE, catalogue_json, english_catalogue, message_calls
from pydantic.json_schema import models_json_schema

from annotarium.app import create_app
from annotarium_schemas import answers, corpus, documents, modelling, search
from annotarium_schemas.shape import Shape

FOLDER = Path(__file__).resolve().parents[2] / "schemas" / "annotarium_schemas" / "json"


def _shapes(*modules: Any) -> list[type[Shape]]:
    found = {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Shape) and value.__module__ == module.__name__
    }
    return sorted(found, key=lambda shape: shape.__name__)


def generated_files() -> dict[Path, str]:
    """Path -> text of each generated file."""
    openapi = create_app().openapi()
    openapi["info"]["version"] = "1"  # the product's version must not make the file stale
    _, shapes = models_json_schema(
        [(shape, "validation") for shape in _shapes(answers, corpus, documents, modelling, search)], by_alias=True
    )
    files = {
        FOLDER / name: json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        for name, value in (("openapi.json", openapi), ("shapes.json", shapes))
    }
    return files | {ENGLISH_FILE: catalogue_json(english_catalogue(message_calls()))}


def main() -> int:
    """Write or compare; 1 when a file is stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    for path, text in generated_files().items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
            if not check:
                path.write_text(text, encoding="utf-8")
    if check and stale:
        sys.stderr.write(f"Stale: {', '.join(stale)}. Run `make schemas`.\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
