"""Checks commit subjects: `area: imperative`, at most 72 characters.

    python core/tools/check_commits.py            every commit made after this check
    python core/tools/check_commits.py MESSAGE    a file with the message of one (the hook `commit-msg`)

Only the local repository is read. Merges, and commits of branches that began before this check, are not checked.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST = 72
SUBJECT = re.compile(r"[a-z][\w /,.-]*: (?P<verb>[A-Za-z][\w-]*)( .*[^.\s]|[^.\s]*)")
NO_IMPERATIVE = re.compile(
    r"(?!(?:need|feed|embed|speed|exceed|proceed|bring|string|ping)$)\w+(?:ed|ing)", re.IGNORECASE
)
GENERATED = ("Merge ", "Revert ", "fixup! ", "squash! ")


def problem(subject: str) -> str | None:
    """Return what is wrong with a subject; None when it is valid."""
    if subject.startswith(GENERATED):
        return None
    if len(subject) > MOST:
        return f"{len(subject)} characters, at most {MOST}"
    found = SUBJECT.fullmatch(subject)
    if found is None:
        return "not `area: imperative`, without a full stop"
    if NO_IMPERATIVE.fullmatch(found["verb"]):
        return f"`{found['verb']}` is no imperative"
    return None


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def subjects() -> list[tuple[str, str]]:
    """Return short hash and subject of each commit that descends from the one that added this file."""
    own = Path(__file__).resolve().relative_to(ROOT).as_posix()
    added = _git("log", "--diff-filter=A", "--format=%H", "--", own).split()
    if not added:  # not committed yet
        return []
    lines = _git("log", "--no-merges", "--ancestry-path", "--format=%h %s", f"{added[-1]}..HEAD").splitlines()
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines]


def main(arguments: list[str]) -> int:
    """Return 1 when a subject is invalid."""
    if arguments:
        commits = [("this commit", Path(arguments[0]).read_text(encoding="utf-8").partition("\n")[0])]
    else:
        commits = subjects()
    refused = [f"{commit} {subject!r}: {why}" for commit, subject in commits if (why := problem(subject))]
    sys.stdout.write("\n".join([*refused, f"{len(commits)} commit subjects, {len(refused)} refused"]) + "\n")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
