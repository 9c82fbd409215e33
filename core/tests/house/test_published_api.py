"""The API against the published description: what is generated is current, how much of the description is served."""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path

import pytest
import yaml

from annotarium.app import create_app

ROOT = Path(__file__).resolve().parents[3]
DESCRIPTION = Path(os.environ.get("ANNOTARIUM_CONTRACT", ROOT.parent / "shared" / "contract")) / "openapi.yaml"
METHODS = {"get", "post", "put", "patch", "delete"}
# Operations the present release serves at least; grows with each issue.
FLOOR = 60


def _operations(paths: dict[str, dict[str, object]], prefix: str = "") -> set[tuple[str, str]]:
    return {
        (method.upper(), re.sub(r"\{[^}]*\}", "{}", path.removeprefix(prefix)))
        for path, operations in paths.items()
        for method in operations
        if method in METHODS
    }


def test_generated_schemas_are_current() -> None:
    spec = importlib.util.spec_from_file_location("write_schemas", ROOT / "core" / "tools" / "write_schemas.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    stale = [
        name for name, text in module.generated().items() if (module.FOLDER / name).read_text(encoding="utf-8") != text
    ]
    assert not stale, "run `make schemas`"


@pytest.mark.skipif(not DESCRIPTION.is_file(), reason="the published description is not beside this checkout")
def test_operations_served(capsys: pytest.CaptureFixture[str]) -> None:
    published = _operations(yaml.safe_load(DESCRIPTION.read_text(encoding="utf-8"))["paths"])
    ours = _operations(create_app().openapi()["paths"], "/api")
    missing = sorted(published - ours)
    with capsys.disabled():
        print(f"\noperations served {len(published) - len(missing)} / {len(published)}")
        for method, path in missing:
            print(f"  missing {method} {path}")
    assert len(published) == 249
    assert len(published) - len(missing) >= FLOOR
