"""Writes what is generated from the code: `schemas/annotarium_schemas/json/` (openapi.json and the JSON Schemas of the
shapes that cross a border), and for the studio its English message catalogue and the component defaults of its tests.

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
from annotarium.registry.defaults import product_defaults
from annotarium_schemas import answers, corpus, documents, modelling, search
from annotarium_schemas.shape import Shape

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "schemas" / "annotarium_schemas" / "json"
STUDIO_DEFAULTS = ROOT / "webapp" / "src" / "test" / "component-defaults.json"


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
    openapi["info"]["version"] = "1"  # a new product version must not make the file stale
    _, shapes = models_json_schema(
        [(shape, "validation") for shape in _shapes(answers, corpus, documents, modelling, search)], by_alias=True
    )
    files = {
        FOLDER / name: json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        for name, value in (("openapi.json", openapi), ("shapes.json", shapes))
    }
    defaults = json.dumps(product_defaults().model_dump(mode="json"), indent=1) + "\n"
    return files | {ENGLISH_FILE: catalogue_json(english_catalogue(message_calls())), STUDIO_DEFAULTS: defaults}


def main() -> int:
    """Write or compare; returns 1 when a file is stale."""
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
