"""`make audit`: licences against the policy, responses of advisory services, the bill of materials."""

from __future__ import annotations

import json
from typing import Any

import pytest
from audit.__main__ import BAD, GOOD, UNKNOWN, verdict
from audit.advisories import AdvisoryReport, read_npm_audit, read_pip_audit
from audit.inventory import Package, dependency_closure, npm_packages, python_packages
from audit.licences import Policy, licence_refusals, unused_exceptions
from audit.sbom import as_json, bill, shipped_packages
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

POLICY = Policy.read()


def fake_package(*stated: str, name: str = "made-up", shipped: bool = True) -> Package:
    return Package("pypi", name, "1.0", stated, shipped)


def test_every_shipped_package_has_an_allowed_licence() -> None:
    """Packages of the default install, and all npm packages of the web app and its build."""
    packages = [one for one in (*python_packages(), *npm_packages()) if one.shipped or one.ecosystem == "npm"]
    assert {"numpy", "react", "text-unidecode"} <= {one.name for one in packages}
    assert licence_refusals(packages, POLICY) == []
    assert unused_exceptions(packages, POLICY) == []


@pytest.mark.parametrize(
    "stated",
    [
        ("GPL-3.0-only",),
        ("AGPL-3.0-or-later",),
        ("MIT AND GPL-2.0-only",),
        ("LGPL-3.0-only",),
        ("GNU General Public License v3 (GPLv3)",),
        ("MIT", "GNU Affero General Public License v3"),
        ("see the file LICENSE",),
        ("MIT OR",),
        ("MIT OR (",),
        ("Proprietary",),
        ("DFSG approved",),
        ("",),
        (),
    ],
)
def test_other_licences_in_the_default_install_are_refused(stated: tuple[str, ...]) -> None:
    (words,) = licence_refusals([fake_package(*stated)], POLICY)
    assert words.startswith("made-up 1.0 (pypi, shipped): ")


@pytest.mark.parametrize(
    "stated",
    [
        ("MIT",),
        ("MIT License",),
        ("GPL-3.0-only OR MIT",),
        ("Apache-2.0 WITH LLVM-exception",),
        ("BSD-3-Clause AND (MIT OR AGPL-3.0-only)",),
        ("MIT", "DFSG approved", "MIT License"),
    ],
)
def test_allowed_licences_and_choices_of_licences(stated: tuple[str, ...]) -> None:
    assert licence_refusals([fake_package(*stated)], POLICY) == []


def test_development_tools_may_have_other_licences() -> None:
    assert licence_refusals([fake_package("LGPL-3.0-only", shipped=False)], POLICY) == []
    assert licence_refusals([fake_package("GPL-3.0-only", shipped=False)], POLICY)


def test_an_exception_applies_to_one_package_and_one_licence_statement() -> None:
    policy = Policy({"allowed": ["MIT"], "exceptions": {"pypi": {"odd": {"stated": "Odd licence", "reason": "why"}}}})
    assert licence_refusals([fake_package("Odd licence", name="odd")], policy) == []
    assert (
        "the exception in policy.toml is for Odd licence"
        in licence_refusals([fake_package("Other", name="odd")], policy)[0]
    )
    assert licence_refusals([fake_package("Odd licence")], policy)
    assert unused_exceptions([fake_package("MIT")], policy) == ["pypi odd"]
    assert all(facts["reason"] for kind in POLICY.exceptions.values() for facts in kind.values())


def test_requirements_of_a_package_are_part_of_the_install() -> None:
    found = dependency_closure(["uvicorn", "pwdlib[argon2]", "no-such-package; sys_platform == 'win32'", "absent>=1"])
    assert {"uvicorn", "h11", "click", "argon2-cffi", "absent"} <= found
    assert not {"no-such-package", "httptools", "bcrypt"} & found


PIP_CLEAN: dict[str, Any] = {"dependencies": [{"name": "made-up", "version": "1.0", "vulns": []}]}
PIP_SKIPPED: dict[str, Any] = {"dependencies": [{"name": "made-up", "skip_reason": "Dependency not found on PyPI"}]}
PIP_FOUND: dict[str, Any] = {
    "dependencies": [
        {"name": "made-up", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"], "aliases": []}]}
    ]
}
NPM_FOUND: dict[str, Any] = {
    "vulnerabilities": {
        "deep": {"via": [{"title": "Prototype pollution", "severity": "high", "url": "https://example.org/1"}]},
        "above": {"via": ["deep"]},
    }
}


@pytest.mark.parametrize(
    ("output", "errors", "asked", "found", "status"),
    [
        (json.dumps(PIP_CLEAN), "No known vulnerabilities found", 1, 0, GOOD),
        (json.dumps(PIP_FOUND), "Found 1 known vulnerability", 1, 1, BAD),
        (json.dumps(PIP_SKIPPED), "No known vulnerabilities found", 0, 0, UNKNOWN),
        ('{"dependencies": []}', "No known vulnerabilities found", 0, 0, UNKNOWN),
        ("", "ConnectionError: Failed to resolve 'api.osv.dev'", 0, 0, UNKNOWN),
        ("", "", 0, 0, UNKNOWN),
    ],
)
def test_a_missing_response_of_the_service_is_not_a_pass(
    output: str, errors: str, asked: int, found: int, status: int
) -> None:
    """pip-audit exits with 0 and "No known vulnerabilities" even if its service knew none of the packages."""
    answer = read_pip_audit(output, errors, [fake_package("MIT")])
    assert (answer.asked, len(answer.found), verdict([], [answer])) == (asked, found, status)
    assert bool(answer.failure) == (status == UNKNOWN)


def test_some_packages_without_an_answer_are_reported() -> None:
    answer = read_pip_audit(json.dumps(PIP_CLEAN), "", [fake_package("MIT"), fake_package("MIT", name="other")])
    assert (answer.asked, answer.unasked, answer.complete) == (1, ["other"], False)


def test_responses_of_npm_audit() -> None:
    packages = [fake_package("MIT"), fake_package("MIT", name="deep")]
    refused = read_npm_audit('{"message": "405 Method Not Allowed", "error": {}}', "npm error", packages)
    assert (refused.failure, verdict([], [refused])) == ("405 Method Not Allowed", UNKNOWN)
    assert read_npm_audit("", "npm error network", packages).failure == "npm error network"
    assert verdict([], [read_npm_audit('{"vulnerabilities": {}}', "", packages)]) == GOOD
    found = read_npm_audit(json.dumps(NPM_FOUND), "", packages)
    assert found.found == ["deep: Prototype pollution (high, https://example.org/1)"]
    assert verdict([], [found, refused]) == BAD
    assert verdict(["a licence"], [AdvisoryReport("pypi")]) == BAD


def test_the_bill_of_materials_is_valid_and_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    packages = shipped_packages()
    text = as_json(bill(packages, POLICY))
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert text == as_json(bill(packages, POLICY))
    content = json.loads(text)
    names = {one["name"] for one in content["components"]}
    assert {"fastapi", "sqlalchemy", "react", "@mui/material"} <= names
    assert not {"pytest", "vite", "annotarium"} & names
    assert content["metadata"]["component"]["name"] == "annotarium"
    assert all(one["licenses"] and one["purl"].startswith("pkg:") for one in content["components"])
    assert "NOASSERTION" not in text
