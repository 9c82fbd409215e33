"""The example package, installed like a third-party package, works through the registry and passes its contract
tests.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "plugin-package"

EXERCISE = """
import json, logging
from annotarium.hooks import get_hooks
from annotarium.registry import get_registry
from annotarium.registry.component_report import check_components
from annotarium_schemas.documents import Category, Document
registry = get_registry()
rows = [vars(info) for info in registry.list() if info.distribution == "annotarium-acme"]
text = "- eins\\n- zwei"
ranges = registry.build("segmenter", "acme_bullets", {}).segment(text, "de")
learner = registry.build("learner", "acme_keyword", {"threshold": 0})
learner.fit(
    [Document(text="good film", categories=[Category(label_name="yes")]),
     Document(text="awful film", categories=[Category(label_name="no")])],
    labels=["yes", "no"], language="en")
predicted = next(learner.predict([Document(text="good")], "en")).categories[0].label_name
told = []
logging.getLogger("annotarium_acme.hooks").addHandler(type("H", (logging.Handler,), {
    "emit": lambda self, record: told.append(record.getMessage())})())
logging.getLogger("annotarium_acme.hooks").setLevel("INFO")
hooks = get_hooks()
hooks.call("documents_imported", project="films", document_ids=["1", "2"], job_id="j")
hooks.call("model_trained", project="films", experiment="e", report={"f1": 1.0})
findings = [finding.message for finding in check_components("annotarium-acme")]
french = registry.describe("segmenter", "acme_bullets", language="fr").title
print(json.dumps([rows, ranges, predicted, told, [row.state for row in hooks.rows()], findings, french]))
"""


@pytest.fixture
def installed(site: Path, tmp_path: Path) -> Path:
    """Install the example into `site`, by pip and its own build backend, without network access."""
    source = tmp_path / "source"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__", "dist"))
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    command += ["--disable-pip-version-check", "--root-user-action", "ignore", "--target", str(site), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=150, check=False)
    assert done.returncode == 0, done.stderr
    return source


def test_example_package_from_installation_to_prediction(installed, run_python):
    rows, ranges, predicted, told, hook_states, findings, french = run_python(EXERCISE)
    assert {(row["kind"], row["name"], row["version"]) for row in rows} == {
        ("segmenter", "acme_bullets", "1.0.0"),
        ("learner", "acme_keyword", "1.0.0"),
    }
    assert ranges == [[0, 6], [7, 13]]
    assert predicted == "yes"
    assert told == ["acme: 2 documents in project films", "acme: experiment e of project films is trained: ['f1']"]
    assert hook_states == ["available"]
    assert findings == [], "the example must be spotless"
    assert french == "Points de liste"


def test_contract_tests_of_the_example_package_pass(installed, site):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(installed / "tests")]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=150, check=False)
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout, json.dumps(done.stdout)
