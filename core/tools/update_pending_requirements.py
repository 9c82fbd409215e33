"""Removes the requirement ids that tests cite from `core/specification/pending.txt`; it never adds one."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PENDING = ROOT / "core" / "specification" / "pending.txt"


def main() -> int:
    """Rewrite the list and print how many ids were removed."""
    path = ROOT / "core" / "tests" / "house" / "test_specification.py"
    spec = importlib.util.spec_from_file_location("test_specification", path)
    assert spec is not None
    assert spec.loader is not None
    ledger = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(ledger)
    cited = ledger.cited()
    before = PENDING.read_text(encoding="utf-8").split()
    after = [identifier for identifier in before if identifier not in cited]
    PENDING.write_text("\n".join(after) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(before) - len(after)} ids went, {len(after)} are pending\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
