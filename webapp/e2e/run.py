"""Runs the browser journeys against a real server: `annotarium serve` on an empty folder, without mocks.

Without Chromium the journeys are skipped with a reason; with ANNOTARIUM_REQUIRE_BROWSER=1 (CI) that is a failure.
Arguments are passed to Playwright: `python webapp/e2e/run.py journey --headed`. `--corpora` runs only the journeys that
can use public corpora (in the folder ANNOTARIUM_CORPORA); the others never look for them.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

WEBAPP = Path(__file__).resolve().parents[1]
PASSWORD = "journey-password"


def find_browser() -> str | None:
    """Path of a Chromium executable; None when none is installed."""
    named = os.environ.get("CHROMIUM")
    return named or next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )


def free_port() -> int:
    """A free TCP port of localhost."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_ready(address: str, server: subprocess.Popen[bytes], seconds: float = 90) -> None:
    """Return when the server is ready; raise SystemExit when it has ended or takes too long."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise SystemExit("The server ended before it was ready")
        try:
            with urllib.request.urlopen(f"{address}/api/health/ready", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise SystemExit("The server was not ready in time")


def corpora_journeys() -> list[str]:
    """The files of journeys that use a corpus of `corpora.ts`."""
    uses = re.compile(r"\b(spanCorpus|categoryCorpus|thesaurus|answersCorpus)\b")
    return [path.name for path in sorted((WEBAPP / "e2e").glob("*.spec.ts")) if uses.search(path.read_text("utf-8"))]


def main() -> int:
    """Start the server, run Playwright, stop the server; returns Playwright's exit code."""
    browser = find_browser()
    if browser is None:
        required = os.environ.get("ANNOTARIUM_REQUIRE_BROWSER") == "1"
        sys.stderr.write("Browser journeys: no Chromium found" + (", but required\n" if required else ", skipped\n"))
        return 1 if required else 0
    wanted = sys.argv[1:]
    if "--corpora" in wanted:
        wanted = [*corpora_journeys(), *(one for one in wanted if one != "--corpora")]
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="annotarium-e2e-") as folder:
        environment = os.environ | {"ANNOTARIUM_ADMIN_PASSWORD": PASSWORD, "ANNOTARIUM_LOG_LEVEL": "warning"}
        command = [str(Path(sys.executable).with_name("annotarium")), "serve", "--port", str(port), "--data", folder]
        with (Path(folder) / "server.log").open("wb") as log:
            server = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
            try:
                wait_until_ready(address, server)
                variables = os.environ | {
                    "ADDRESS": address,
                    "ADMIN_PASSWORD": PASSWORD,
                    "CHROMIUM": browser,
                    "PYTHON": sys.executable,
                }
                done = subprocess.run(["npx", "playwright", "test", *wanted], cwd=WEBAPP, env=variables, check=False)
                if done.returncode:
                    sys.stderr.write((Path(folder) / "server.log").read_text(errors="replace")[-6000:])
                return done.returncode
            finally:
                server.terminate()
                try:
                    server.wait(20)
                except subprocess.TimeoutExpired:
                    server.kill()


if __name__ == "__main__":
    sys.exit(main())
