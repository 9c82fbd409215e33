"""Queries advisories for the packages in use, and distinguishes "no advisories" from "no response".

Python packages are checked by pip-audit, those of the web app by npm; both query online services. A package that the
service does not know counts as not checked: pip-audit reports a run in which it knew nothing as clean.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from audit.inventory import ROOT, Package

SERVICES = ("pypi", "osv")
_SECONDS = 120


@dataclass
class AdvisoryReport:
    """Result of the advisory services for one ecosystem."""

    ecosystem: str
    asked: int = 0
    """Number of packages that a service knows."""
    unasked: list[str] = field(default_factory=list)
    """Packages without information."""
    found: list[str] = field(default_factory=list)
    """Advisories, one line each."""
    failure: str = ""
    """Why no service could be reached; empty when one could."""

    @property
    def complete(self) -> bool:
        """Whether there is information about every package."""
        return not self.failure and not self.unasked


def python_advisories(packages: Sequence[Package]) -> AdvisoryReport:
    """Return what pip-audit finds with the first of its services that knows most of the packages."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "requirements.txt"
        wanted.write_text("".join(f"{one.name}=={one.version}\n" for one in packages), encoding="utf-8")
        best = AdvisoryReport("pypi", unasked=[one.name for one in packages], failure="no service was asked")
        for service in SERVICES:
            command = [sys.executable, "-m", "pip_audit", "--format", "json", "--progress-spinner", "off"]
            command += ["--vulnerability-service", service, "--disable-pip", "--no-deps", "--requirement", str(wanted)]
            done = _run(command, ROOT)
            answer = read_pip_audit(done.stdout, done.stderr, packages)
            if answer.complete:
                return answer
            if answer.asked > best.asked or not best.asked:
                best = answer
        return best


def read_pip_audit(output: str, errors: str, packages: Iterable[Package]) -> AdvisoryReport:
    """Parse the output of pip-audit and compare it with the packages to check."""
    answer = AdvisoryReport("pypi")
    content = _json(output)
    if content is None or "dependencies" not in content:
        answer.failure = _last_line(errors) or "pip-audit gave no answer"
        answer.unasked = [one.name for one in packages]
        return answer
    told = {one["name"]: one for one in content["dependencies"]}
    for one in packages:
        facts = told.get(one.name)
        if facts is None or "skip_reason" in facts:
            answer.unasked.append(one.name)
            continue
        answer.asked += 1
        for weakness in facts.get("vulns", ()):
            fixed = ", ".join(weakness.get("fix_versions", ())) or "no version yet"
            answer.found.append(f"{one.name} {one.version}: {weakness['id']} (mended in {fixed})")
    if not answer.asked:
        answer.failure = "the service knows none of the packages: it holds no advisories"
    return answer


def npm_advisories(packages: Sequence[Package]) -> AdvisoryReport:
    """Return what npm finds in the lock file of the web app."""
    npm = shutil.which("npm")
    if npm is None:
        return AdvisoryReport("npm", unasked=[one.name for one in packages], failure="npm is not installed")
    done = _run([npm, "audit", "--json", "--package-lock-only"], ROOT / "webapp")
    return read_npm_audit(done.stdout, done.stderr, packages)


def read_npm_audit(output: str, errors: str, packages: Sequence[Package]) -> AdvisoryReport:
    """Parse the output of npm, which checks either the whole lock file or nothing."""
    content = _json(output)
    if content is None or "vulnerabilities" not in content:
        said = (content or {}).get("message") or _last_line(errors) or "npm gave no answer"
        return AdvisoryReport("npm", unasked=[one.name for one in packages], failure=str(said))
    found = [
        f"{name}: {via['title']} ({via['severity']}, {via['url']})"
        for name, facts in sorted(content["vulnerabilities"].items())
        for via in facts.get("via", ())
        if isinstance(via, dict)
    ]
    return AdvisoryReport("npm", asked=len(packages), found=found)


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"no answer within {_SECONDS} s")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
