"""Describes and builds one component in a fresh interpreter, to measure time and imports for `component_report`.

python -m annotarium.registry.probe segmenter <name>             -> one JSON line
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from annotarium.errors import AnnotariumError
from annotarium.registry.registry import get_registry
from annotarium_plugins.heavy import heavy_modules


def probe_component(kind: str, name: str) -> dict[str, Any]:
    """Seconds needed to describe and to build, and the heavy libraries imported after each."""
    registry = get_registry()
    before = set(heavy_modules())
    start = time.perf_counter()
    description = registry.describe(kind, name)
    described = time.perf_counter()
    result: dict[str, Any] = {
        "reason": description.info.reason,
        "optional": description.info.optional,
        "describe_seconds": described - start,
        "describe_heavy": sorted(set(heavy_modules()) - before),
        "build_error": "",
    }
    if description.info.state == "available":
        try:
            registry.build(kind, name, description.defaults)
        except AnnotariumError as error:
            wrong = "; ".join(f"{item['field']}: {item['message']}" for item in error.details)
            result["build_error"] = wrong or error.cause
    result["build_seconds"] = time.perf_counter() - described
    result["build_heavy"] = sorted(set(heavy_modules()) - before)
    return result


if __name__ == "__main__":
    sys.stdout.write(json.dumps(probe_component(sys.argv[1], sys.argv[2])) + "\n")
