"""The ledger: every requirement id is cited by a test or waits in pending.txt, never both unknown."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SPECIFICATION = ROOT / "core" / "specification"
DEFINED = re.compile(r"\*\*([RNWDSTBCVEP]-\d{3})\*\*")
CITED = re.compile(r"\b([RNWDSTBCVEP]-\d{3})\b")
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
    tests.remove(Path(__file__).resolve())  # it names ids without showing anything of them
    return _ids(CITED, [path for path in tests if path.stat().st_size < 2_000_000])


def test_every_requirement_is_cited_or_pending() -> None:
    defined = _ids(DEFINED, sorted(SPECIFICATION.glob("*.md")))
    proved = cited()
    pending = _ids(CITED, [SPECIFICATION / "pending.txt"])
    assert len(defined) == 499
    assert not sorted(proved - defined), "cited but not defined"
    assert not sorted(defined - proved - pending), "neither cited by a test nor pending"
    assert not sorted(proved & pending), "cited by a test and still pending: take them out of pending.txt"


AWAITED_SCREENS = {
    "C-090": ("gazetteers", "campaign"),
    "N-008": ("answers", "compare-search"),
    "R-034": ("messages", "gazetteers"),
    "S-077": ("themes", "messages"),
    "W-005": ("themes", "messages"),
    "W-010": ("gazetteers", "answers", "compare-search"),
}
"""Requirements that hold when these screens are there, as addresses of the table of screens."""


def test_what_names_a_screen_that_is_not_built_waits_for_it() -> None:
    """A claim over all screens that a requirement names, made while some of them are missing, is not kept."""
    screens = (ROOT / "webapp" / "src" / "app" / "routes.tsx").read_text(encoding="utf-8")
    pending = _ids(CITED, [SPECIFICATION / "pending.txt"])
    for identifier, paths in AWAITED_SCREENS.items():
        missing = [path for path in paths if f"path: '/{path}'" not in screens]
        assert not missing or identifier in pending, f"{identifier} waits for {missing}"
