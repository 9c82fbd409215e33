"""The API against the published description: what is generated is current, what is served is served as described."""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from support import published_api as description

from annotarium.app import create_app, declared_routes
from annotarium.http.openapi.published_description import published_path, to_published
from annotarium.http.openapi.published_names import SHAPE_NAMES
from annotarium.http.openapi.published_operations import PUBLISHED_OPERATIONS

ROOT = Path(__file__).resolve().parents[3]
needs_contract = pytest.mark.skipif(not description.PUBLISHED_FILE.is_file(), reason=description.MISSING)
# Operations the present release serves at least; grows with each issue.
FLOOR = 191

# What differs, the numbers are those of conflicts.md: (operation ids, None = all; difference) -> reason.
ALLOWED: dict[str, dict[str, str]] = {
    "*": {},
    "launchDocumentImport": {"body is required": "without a file there is nothing to import"},
    "uploadFiles": {"body is required": "without a file there is nothing to keep"},
    "createProject": {"body.label is required": "V-006: a project has a label"},
    **{
        name: {f"{place}.parameters.pipeline[].annotator is missing": "C-078: it describes no step of question plans"}
        for name, place in (
            ("getPlans", "answer[]"),
            ("getPlan", "answer"),
            ("getDefaultProcessors", "answer[]"),
            ("getContextualDefaultProcessors", "answer[]"),
        )
    },
}


@cache
def ours() -> dict[str, object]:
    made: dict[str, object] = create_app().openapi()
    return made


def test_generated_schemas_are_current() -> None:
    spec = importlib.util.spec_from_file_location("write_schemas", ROOT / "core" / "tools" / "write_schemas.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    stale = [path.name for path, text in module.generated_files().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, "run `make schemas`"


def test_the_served_description_is_that_of_the_application() -> None:
    answer = TestClient(create_app()).get("/api/openapi.json")
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.json() == ours()


@needs_contract
def test_table_of_published_operations_is_that_of_the_description() -> None:
    published_ones = description.operations(description.read_published_api())
    wanted = {f"{method.upper()} {path} {one['operationId']}" for (method, path), one in published_ones.items()}
    assert set(PUBLISHED_OPERATIONS.strip().split("\n")) == wanted
    assert len(wanted) == 249


@needs_contract
def test_operations_served(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = description.operations(description.read_published_api())
    served = description.operations(ours())
    missing = sorted(wanted.keys() - served.keys())
    with capsys.disabled():
        print(f"\noperations served {len(wanted) - len(missing)} / {len(wanted)}")
        for method, path in missing:
            print(f"  missing {method.upper()} {path}")
    assert len(wanted) - len(missing) >= FLOOR


@needs_contract
def test_operations_are_served_as_described() -> None:
    wanted, served = description.operations(description.read_published_api()), description.operations(ours())
    comparison = description.Comparison(description.read_published_api(), ours())
    found, met = [], set()
    for key in sorted(wanted.keys() & served.keys()):
        name = wanted[key]["operationId"]
        if served[key]["operationId"] != name:
            found.append(f"{name}: its operation id is {served[key]['operationId']}")
        for difference in comparison.differences(wanted[key], served[key]):
            owner = next((one for one in (name, "*") if difference in ALLOWED.get(one, ())), None)
            if owner is None:
                found.append(f"{name}: {difference}")
            else:
                met.add((owner, difference))
    assert found == []
    unmet = [(name, one) for name, allowed in ALLOWED.items() for one in allowed if (name, one) not in met]
    assert unmet == [], "differences that are no longer there: take them out of ALLOWED"


def test_headers_are_described_exactly_where_they_count() -> None:
    app = create_app()
    served = description.operations(app.openapi())
    counting: dict[str, set[tuple[str, str]]] = {"Idempotency-Key": set(), "If-Match": set()}
    for method, path, rule in declared_routes(app):
        key = (method.lower(), published_path(re.sub(r":\w+}", "}", path)))
        if rule is not None and rule.idempotent:
            counting["Idempotency-Key"].add(key)
        if rule is not None and rule.versioned:
            counting["If-Match"].add(key)
    for name, routes in counting.items():
        described = {
            key
            for key, operation in served.items()
            if any((one["in"], one["name"]) == ("header", name) for one in operation.get("parameters", []))
        }
        assert described == routes
        assert len(routes) > 10
    types = (ROOT / "webapp" / "src" / "api" / "schema.d.ts").read_text(encoding="utf-8")
    assert types.count('"Idempotency-Key"?: string') == len(counting["Idempotency-Key"]), "run `make schemas`"
    assert types.count('"If-Match"?: string') == len(counting["If-Match"]), "run `make schemas`"


def test_every_reference_and_name_holds() -> None:
    made = ours()
    shapes = made["components"]["schemas"]  # type: ignore[index]
    assert not [name for name in shapes if "__" in name], "two shapes share a name: tell them apart in published_names"
    unused = set(SHAPE_NAMES.values()) - set(shapes)
    assert not unused, "names of published_names that name nothing"
    named = {name for name in description.referenced_shapes(made)}
    assert named <= set(shapes)
    identifiers = [one["operationId"] for one in description.operations(made).values()]
    assert len(identifiers) == len(set(identifiers))
    assert all("Error" in str(one["responses"]["default"]) for one in description.operations(made).values())
    assert made["servers"] == [{"url": "/api"}]
    assert set(made["components"]["securitySchemes"]) == {"basicAuth", "bearerAuth", "apikeyAuth"}  # type: ignore[index]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/api/projects/{project_name}/documents/{document_id}", "/projects/{projectName}/documents/{docId}"),
        (
            "/api/projects/{p}/experiments/{experiment_name}/_launch",
            "/projects/{projectName}/experiments/{name}/_launch",
        ),
        ("/api/projects/{project_name}/job/{job}/items", "/projects/{projectName}/job/{job_id}/items"),
        ("/api/samples/{file_name}", "/samples/{fileName}"),
        ("/api/jobs", "/jobs"),
    ],
)
def test_paths_are_named_as_published(path: str, name: str) -> None:
    assert published_path(path) == name


def test_what_fastapi_made_is_not_changed() -> None:
    app = FastAPI()

    @app.get("/api/projects/{project_name}/labels")
    def labels(project_name: str) -> list[int | None]:
        return []

    made = app.openapi()
    before = repr(made)
    done = to_published(made)
    assert repr(made) == before
    operation = done["paths"]["/projects/{projectName}/labels"]["get"]
    assert (operation["operationId"], operation["parameters"][0]["name"]) == ("getLabels", "projectName")
    assert set(operation["responses"]) == {"200", "default"}
    assert "HTTPValidationError" not in done["components"]["schemas"]
