"""The ledger: every requirement id is cited by a test or waits in pending.txt, never both unknown."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SPECIFICATION = ROOT / "core" / "specification"
DEFINED = re.compile(r"\*\*([RNWDSTBCVE]-\d{3})\*\*")
CITED = re.compile(r"\b([RNWDSTBCVE]-\d{3})\b")
TESTS = re.compile(r"(^|/)(tests?|e2e)/|\.(test|spec)\.[a-z]+$|(^|/)test_[^/]+\.py$")


def _tracked() -> list[str]:
    if not (ROOT / ".git").exists():  # unpacked from a source archive
        files = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.suffix in (".py", ".ts", ".tsx"))
        return [path.as_posix() for path in files if not {"node_modules", ".venv"} & set(path.parts)]
    command = ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def _ids(pattern: re.Pattern[str], paths: list[Path]) -> set[str]:
    return {found for path in paths for found in pattern.findall(path.read_text(encoding="utf-8", errors="replace"))}


def cited() -> set[str]:
    """Ids that some test cites."""
    tests = [ROOT / name for name in _tracked() if TESTS.search(name) and (ROOT / name).is_file()]
    return _ids(CITED, [path for path in tests if path.stat().st_size < 2_000_000])


def test_every_requirement_is_cited_or_pending() -> None:
    defined = _ids(DEFINED, sorted(SPECIFICATION.glob("*.md")))
    proved = cited()
    pending = _ids(CITED, [SPECIFICATION / "pending.txt"])
    assert len(defined) == 420
    assert not sorted(proved - defined), "cited but not defined"
    assert not sorted(defined - proved - pending), "neither cited by a test nor pending"
    assert not sorted(proved & pending), "cited by a test and still pending: take them out of pending.txt"
