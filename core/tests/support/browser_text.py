"""The visible text of pages: the `innerText` of a headless Chromium, without scripts and network access."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

_HARNESS = """<!DOCTYPE html><meta charset=utf-8><pre id=answer></pre><script>
const bytes = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
const pages = JSON.parse(new TextDecoder().decode(bytes(%s)))
const answers = pages.map((page) => {
  const frame = document.createElement('iframe')
  frame.sandbox = 'allow-same-origin'
  frame.width = 9000
  document.body.append(frame)
  const inner = frame.contentDocument
  inner.open(); inner.write(page); inner.close()
  inner.querySelectorAll('details').forEach((one) => { one.open = true })
  inner.querySelectorAll('rp').forEach((one) => { one.style.display = 'inline' })
  inner.querySelectorAll('textarea').forEach((one) => {
    const text = inner.createElement('span')
    text.textContent = one.value
    one.replaceWith(text)
  })
  const shown = inner.body ? inner.body.innerText : ''
  frame.remove()
  return shown
})
const encoded = new TextEncoder().encode(JSON.stringify(answers))
let text = ''
for (const byte of encoded) text += String.fromCharCode(byte)
document.getElementById('answer').textContent = btoa(text)
</script>"""
_ANSWER = re.compile(r'<pre id="answer">([A-Za-z0-9+/=]+)</pre>')


def find_browser() -> str:
    """Return the path of a Chromium; without one the test is skipped, unless ANNOTARIUM_REQUIRE_BROWSER requires it."""
    named = os.environ.get("CHROMIUM")
    names = ("chromium", "chromium-browser", "google-chrome")
    found = named or next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        if os.environ.get("ANNOTARIUM_REQUIRE_BROWSER") == "1":
            pytest.fail("no Chromium to compare with, but ANNOTARIUM_REQUIRE_BROWSER=1")
        pytest.skip("no Chromium to compare with")
    return found


def visible_texts(pages: list[str], folder: Path) -> list[str]:
    """Return the visible text of each page, with details expanded.

    Args:
        folder: an empty one, for the browser's profile.
    """
    harness = folder / "harness.html"
    content = base64.b64encode(json.dumps(pages).encode()).decode()
    harness.write_text(_HARNESS % json.dumps(content), "utf-8")
    command = [
        find_browser(), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
        "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={folder / 'profile'}", "--dump-dom",
        harness.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, timeout=300, check=False)
    found = _ANSWER.search(done.stdout.decode("utf-8", "replace"))
    assert found, f"the browser gave no answer ({done.returncode}): {done.stderr[-500:]!r}"
    answers: list[str] = json.loads(base64.b64decode(found[1]))
    assert len(answers) == len(pages)
    return answers
