"""Broken, clashing and refused components are listed with a reason; the others keep working."""

SEGMENTER = """
from pydantic import Field
from annotarium_plugins.base.segmenter import Segmenter
from annotarium_plugins.parameters import Parameters
class Good(Segmenter):
    title = "Good"
    description = "Works."
    def segment(self, text, language):
        return [(0, len(text))] if text.strip() else []
class Unfinished(Segmenter):
    title = "Unfinished"
class NoModel(Good):
    parameters_model = dict
class BadSchema(Good):
    class parameters_model(Parameters):
        model_config = {"arbitrary_types_allowed": True}
        thing: object.__class__ = None
class NoText(Good):
    @property
    def title(self):
        return "Good"
class OneText(Good):
    languages = "en"
class Unsendable(Good):
    class parameters_model(Parameters):
        bound: float = Field(1.0, json_schema_extra={"x-group": object()})
class FailsToStart(Good):
    def __init__(self, parameters):
        raise RuntimeError("no licence")
def function(): ...
"""

DESCRIBE_ALL = """
import json
from annotarium.registry import get_registry
registry = get_registry()
before = {info.name: info.state for info in registry.list("segmenter")}
for name in before:
    registry.describe("segmenter", name)
rows = {}
for info in registry.list("segmenter"):
    rows.setdefault(info.name, []).append([info.distribution, info.state, info.reason])
print(json.dumps([before, rows, registry.names("segmenter")]))
"""


def test_every_broken_component_is_listed_with_a_reason(install_package, run_python):
    points = {
        "good": "broken.segmenters:Good",
        "missing_extra": "broken.needs_library:Thing",
        "asserts": "broken.asserts:Thing",
        "exits": "broken.exits:Thing",
        "syntax": "broken.syntax:Thing",
        "no_attribute": "broken.segmenters:Nothing",
        "unfinished": "broken.segmenters:Unfinished",
        "no_model": "broken.segmenters:NoModel",
        "bad_schema": "broken.segmenters:BadSchema",
        "no_text": "broken.segmenters:NoText",
        "one_text": "broken.segmenters:OneText",
        "unsendable": "broken.segmenters:Unsendable",
        "function": "broken.segmenters:function",
        "wrong_kind": "annotarium_plugins.builtin.converters.txt_converter:TxtConverter",
        "module_only": "broken.segmenters",
        "bad name!": "broken.segmenters:Good",
    }
    modules = {
        "segmenters": SEGMENTER,
        "needs_library": "import no_such_library",
        "asserts": "assert False, 'not today'",
        "exits": "import sys; sys.exit(3)",
        "syntax": "class Thing(:",
    }
    install_package("broken", modules, {"annotarium.segmenters": points})
    before, rows, names = run_python(DESCRIBE_ALL)
    assert before["missing_extra"] == "available", "listing must not import"
    assert "good" in names
    assert "rule_sentence" in names
    reasons = {name: row[0][2] for name, row in rows.items() if row[0][1] == "unavailable"}
    assert set(reasons) == set(points) - {"good"}
    assert "title" in reasons["no_text"]
    assert "languages" in reasons["one_text"]
    assert "no_such_library" in reasons["missing_extra"]
    assert "not today" in reasons["asserts"]
    assert "SystemExit" in reasons["exits"]
    assert "does not implement segment" in reasons["unfinished"]
    assert "not a Segmenter" in reasons["wrong_kind"]
    assert "not a Segmenter" in reasons["function"]
    assert "Parameters class" in reasons["no_model"]
    assert "names no class" in reasons["module_only"]
    assert "not accepted" in reasons["bad name!"]


def test_a_name_used_twice_is_refused_naming_both_distributions(install_package, run_python):
    for name in ("first-pack", "second-pack"):
        module = name.replace("-", "_")
        points = {"clash": f"{module}.segmenters:Good", "rule_sentence": f"{module}.segmenters:Good"}
        install_package(name, {"segmenters": SEGMENTER}, {"annotarium.segmenters": points})
    _, rows, names = run_python(DESCRIBE_ALL)
    assert [row[:2] for row in rows["clash"]] == [["first-pack", "unavailable"], ["second-pack", "unavailable"]]
    assert all("first-pack and second-pack" in row[2] for row in rows["clash"])
    assert "clash" not in names
    states = {row[0]: row[1] for row in rows["rule_sentence"]}
    assert states == {"annotarium": "available", "first-pack": "unavailable", "second-pack": "unavailable"}


def test_a_built_in_name_cannot_be_replaced_by_a_package(install_package, run_python):
    install_package(
        "aaa", {"segmenters": SEGMENTER}, {"annotarium.segmenters": {"rule_sentence": "aaa.segmenters:Good"}}
    )
    code = (
        "import json; from annotarium.registry import get_registry; "
        "print(json.dumps(type(get_registry().build('segmenter', 'rule_sentence', {})).__module__))"
    )
    assert run_python(code).startswith("annotarium_plugins.builtin")


def test_packages_for_another_component_api_are_unavailable(install_package, run_python):
    for name, versions in (("old-pack", {"0": "old_pack"}), ("new-pack", {"1": "new_pack", "2": "new_pack"})):
        module = name.replace("-", "_")
        groups = {"annotarium.segmenters": {module: f"{module}.segmenters:Good"}, "annotarium.api": versions}
        install_package(name, {"segmenters": SEGMENTER}, groups)
    _, rows, names = run_python(DESCRIBE_ALL)
    assert "new_pack" in names
    assert rows["old_pack"][0][1] == "unavailable"
    assert "component API 0" in rows["old_pack"][0][2]


def test_a_component_disabled_by_the_settings_is_unavailable(run_python):
    code = """
import json
from annotarium.errors import ServiceUnavailable
from annotarium.registry import get_registry
registry = get_registry()
row = registry.info("segmenter", "regex")
try:
    registry.build("segmenter", "regex", {})
    said = "built"
except ServiceUnavailable as error:
    said = error.message + " " + error.cause
print(json.dumps([row.state, said, registry.names("segmenter")]))
"""
    state, said, names = run_python(code, ANNOTARIUM_DISABLED_COMPONENTS='["segmenter:regex", "segmenter:unknown"]')
    assert state == "disabled"
    assert "disabled" in said
    assert "settings" in said
    assert "regex" not in names
    assert "paragraph" in names


def test_a_constructor_that_fails_is_explained(install_package, run_python):
    install_package(
        "broken",
        {"segmenters": SEGMENTER},
        {"annotarium.segmenters": {"fails": "broken.segmenters:FailsToStart"}},
    )
    code = """
import json
from annotarium.errors import ServiceUnavailable
from annotarium.registry import get_registry
try:
    get_registry().build("segmenter", "fails", {})
except ServiceUnavailable as error:
    print(json.dumps(error.cause))
"""
    assert "no licence" in run_python(code)


EXTRA = """
from annotarium_plugins.base.component import ExtraMissing
raise ExtraMissing("acme-model is not installed")
"""


def test_the_component_check_reports_problems(install_package, run_python):
    heavy = SEGMENTER + "\nimport numpy\n"
    slow = SEGMENTER + "\nimport time; time.sleep(0.8)\n"
    points = {
        "heavy": "sloppy.heavy:Good",
        "slow": "sloppy.slow:Good",
        "fails": "sloppy.segmenters:FailsToStart",
        "missing": "sloppy.nowhere:Good",
        "extra": "sloppy.extra:Good",
    }
    install_package(
        "sloppy",
        {"segmenters": SEGMENTER, "heavy": heavy, "slow": slow, "extra": EXTRA},
        {"annotarium.segmenters": points, "annotarium.hooks": {"sloppy": "sloppy.nohooks"}},
    )
    code = """
import json
from annotarium.registry.component_report import check_components, list_component_rows
found = [vars(finding) for finding in check_components("sloppy")]
print(json.dumps([found, list_component_rows()]))
"""
    found, rows = run_python(code)
    messages = {(finding["name"], finding["level"], finding["message"]) for finding in found}

    def has_message(name, level, words):
        return any(words in message for key, rank, message in messages if (key, rank) == (name, level))

    assert has_message("heavy", "error", "imports numpy")
    assert has_message("slow", "warning", "Describing takes")
    assert has_message("fails", "error", "no licence")
    assert has_message("missing", "error", "nowhere")
    assert has_message("extra", "warning", "acme-model is not installed") and not has_message("extra", "error", "")
    assert has_message("sloppy", "error", "nohooks")
    assert has_message("slow", "warning", "Not translated to fr: title, description")
    assert {finding["distribution"] for finding in found} == {"sloppy"}
    states = {(row["kind"], row["name"]): row["state"] for row in rows}
    assert states["segmenter", "missing"] == "unavailable"
    assert states["hook", "sloppy"] == "unavailable"
    assert states["segmenter", "paragraph"] == "available"


def test_a_misspelt_group_is_reported(install_package, run_python):
    """Otherwise there is no hint why a component is not listed."""
    groups = {"annotarium.segmenter": {"stray": "stray.segmenters:Good"}, "other.tool": {"a": "stray.segmenters:Good"}}
    install_package("stray", {"segmenters": SEGMENTER}, groups)
    code = """
import json
from annotarium.registry.component_report import check_components, list_component_packages
found = check_components("stray")
print(json.dumps([list_component_packages(), [[one.level, one.name, one.message] for one in found]]))
"""
    known, findings = run_python(code)
    assert "stray" in known
    assert [(level, name) for level, name, _ in findings] == [("error", "stray")]
    assert "Nobody reads the group annotarium.segmenter." in findings[0][2]
    assert "annotarium.segmenters" in findings[0][2]
