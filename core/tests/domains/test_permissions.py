"""The catalogue of permissions against the API: a holder of a permission may call what it permits, a user who lacks
only this one may not.

Each operation is called twice: by a writer of the project who has all other permissions, and by one who has only
this permission. The second must pass authorisation: if the call then lacks a body or an object, it fails with
another error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from support.factories import Corpus, document
from support.route_operations import PROJECT, operations, refusal_status

from annotarium.access.permissions import TOUR_PERMISSIONS, catalogue
from annotarium.access.predefined_roles import PREDEFINED_BY_NAME

SPAN = {"documentIdentifier": "d1", "labelName": "person", "start": 0, "end": 4}
Op = tuple[str, str] | tuple[str, str, dict[str, Any]]


@dataclass(frozen=True)
class Opened:
    """The operations that a permission permits. `P` is replaced by the project; `more`: other permissions they need
    too.
    """

    permission: str
    operations: tuple[Op, ...]
    more: tuple[str, ...] = ()
    instead: frozenset[str] = field(default_factory=frozenset)
    """Permissions that permit the same."""


def json(**body: Any) -> dict[str, Any]:
    return {"json": body}


def query(**parameters: Any) -> dict[str, Any]:
    return {"params": parameters}


_CONFIG = (
    ("PATCH", "P/config", json(label="Other")),
    ("POST", "P/_reindex"),
    ("POST", "P/_generateFacets", query(mode="APPEND")),
    ("PATCH", "P/label_sets/default", json(exclusiveClasses=True)),
    ("POST", "P/segments/_recompute"),
    (
        "POST",
        "P/plans",
        json(
            label="Plan",
            parameters={"segmenter": {"name": "fixed_window"}, "pipeline": []},
            tags=["active-segmentation"],
        ),
    ),
)
CATALOGUE: dict[str, Opened] = {
    "P-003": Opened(
        "createProject",
        (
            ("POST", "/projects", json(label="New", lang="en")),
            ("POST", "/projects/_load"),
            ("POST", "/projects/_import"),
        ),
    ),
    "P-004": Opened("deleteProject", (("DELETE", "P"),)),
    "sharing": Opened(
        "shareProject",
        (
            ("POST", "P/shares/users", query(username="other") | json(read=True, write=False)),
            ("DELETE", "P/shares/users/other"),
            ("POST", "P/shares/groups", query(groupName="press") | json(read=True, write=False)),
            ("DELETE", "P/shares/groups/press"),
        ),
    ),
    "P-007": Opened("exportProject", (("GET", "P/_export"), ("POST", "P/_export"), ("POST", "P/_export_async"))),
    "P-008": Opened("exportDataset", (("GET", "P/dataset"),)),
    "P-009": Opened(
        "exportDocuments",
        (("GET", "P/documents"), ("POST", "P/documents/_search_and_export"), ("POST", "P/documents/_sample")),
    ),
    "P-012": Opened(
        "importDocuments",
        (
            ("POST", "P/documents", json(identifier="d7", title="Seven", text="Seven words.")),
            ("POST", "P/documents/_load", {"json": [{"id": "none"}]}),
            ("POST", "P/documents/_import_documents", {"json": [{"identifier": "d8", "text": "Eight"}]}),
            ("POST", "/uploads"),
        ),
        instead=frozenset({"createProject", "changeProjectConfig", "importModels", "importTerms", "createTheme"}),
    ),
    "P-013": Opened(
        "deleteDocuments",
        (
            ("DELETE", "P/documents/d2"),
            ("POST", "P/documents/_search_and_delete"),
            ("POST", "P/alt_texts/_delete", {"json": [{"name": "x"}]}),
        ),
    ),
    "P-015": Opened(
        "annotateCorpus",
        (
            ("POST", "P/annotators/none/_annotate_corpus"),
            ("POST", "P/documents/_search_and_annotate"),
            ("POST", "P/documents/_search_and_categorize"),
            ("POST", "P/documents/_search_and_delete_labelling"),
            ("POST", "P/annotations/_clear"),
            ("POST", "P/categories/_clear"),
        ),
    ),
    "P-016": Opened(
        "writeLabel",
        (
            ("POST", "P/labels", json(label="New")),
            ("PATCH", "P/labels/person", json(color="#aabbcc")),
            ("DELETE", "P/labels/nothing"),
            ("POST", "P/labels/_merge"),
            ("POST", "P/label_sets", json(label="Set")),
            ("PATCH", "P/label_sets/default", json(label="Set")),
            ("POST", "P/label_sets/_merge"),
            ("DELETE", "P/label_sets/none"),
        ),
    ),
    "P-017": Opened(
        "modifyMetadata",
        (
            ("POST", "P/documents/_tag", query(identifier="d1") | json(name="kind", value="a")),
            ("POST", "P/documents/_search_and_tag"),
        ),
    ),
    "P-020": Opened(
        "useHybridSearch",
        (
            ("POST", "P/documents/_search", query(query="Anna", searchType="hybrid")),
            ("POST", "P/segments/_do_search", json(search={"query": "Anna", "type": "hybrid"})),
        ),
        more=("useSearch",),
    ),
    "P-030": Opened("seeGlobalJobs", (("GET", "/jobs"), ("POST", "P/job"))),
    "P-034": Opened(
        "createUserIn:press",
        (
            ("POST", "/users", json(username="new-one", password="long enough words", groups=["press"])),
            ("PATCH", "/users/managed", json(disabled=False)),
            ("DELETE", "/users/none"),
            ("GET", "/permissions"),
        ),
    ),
    "P-035": Opened(
        "writeGroup:*",
        (
            ("POST", "/groups", json(name="fresh", label="Fresh")),
            ("PATCH", "/groups/press", json(label="Press")),
            ("DELETE", "/groups/none"),
        ),
    ),
}
METRICS = {
    "seeCorpusStats": ("corpusMetrics",),
    "seeDatasetStats": ("annotationMetrics", "categoriesMetrics"),
    "seeModelStats": ("modelMetrics",),
}


@dataclass
class Calls:
    """Operations on a project by one caller."""

    caller: Any
    project: str

    def status(self, op: Op) -> int:
        method, path, arguments = op if len(op) == 3 else (*op, {})
        address = path.replace("P", f"/projects/{self.project}", 1) if path.startswith("P") else path
        return int(self.caller.request(method, f"/api{address}", **arguments).status_code)


@pytest.fixture
def world(corpus: Corpus, as_user: Any, client: Any) -> Corpus:
    for name in ("other", "managed"):
        as_user(client, name, "Reader", groups=("press",))
    corpus.add(document("d1", "Anna left.", ("Anna", "person")), document("d2", "Bob left."))
    for kind, name in (("users", {"username": "other"}), ("groups", {"groupName": "press"})):
        corpus.post(f"/shares/{kind}", 204, params=name, json={"read": True, "write": False})
    return corpus


def writer(world: Corpus, as_user: Any, name: str, grants: set[str]) -> Calls:
    """A user with exactly these permissions and a write share."""
    project = world.project.name
    caller = as_user(world.caller.client, name, *grants, f"writeProject:{project}", groups=("press",))
    return Calls(caller, project)


_made: set[str] = set()


def guarded(make_project: Any) -> None:
    """The project that the guard is tested with, created once."""
    if PROJECT not in _made:
        _made.add(PROJECT)
        make_project(PROJECT, owner="somebody")


def everything_but(*permissions: str) -> set[str]:
    """The whole catalogue without these permissions, those that include them, and those that grant access to all
    projects.
    """
    families = {one.partition(":")[0] for one in permissions if ":" in one}
    held = {one for one in catalogue() if one.partition(":")[0] not in families}
    return held - set(permissions) - {"writeProject:*", "readProject:*"}


@pytest.mark.parametrize("identifier", CATALOGUE)
def test_each_operation_requires_exactly_its_permission(world: Corpus, as_user: Any, identifier: str) -> None:
    """P-003, P-004, P-007, P-008, P-009, P-012, P-013, P-015, P-016, P-017, P-020, P-030, P-034, P-035."""
    opened = CATALOGUE[identifier]
    without = writer(world, as_user, "without", everything_but(opened.permission, *opened.instead))
    refused = {op[:2]: without.status(op) for op in opened.operations}
    assert {op: status for op, status in refused.items() if status != 403} == {}
    holder = writer(world, as_user, "holder", {opened.permission, *opened.more})
    allowed = {op[:2]: holder.status(op) for op in opened.operations}
    assert {op: status for op, status in allowed.items() if status in (401, 403) or status >= 500} == {}


def test_permission_to_change_project_settings(world: Corpus, as_user: Any) -> None:
    """P-006: with the permission alone, except for settings that are also a label or a plan."""
    without = writer(world, as_user, "without", everything_but("changeProjectConfig"))
    assert {op[:2]: without.status(op) for op in _CONFIG} == {op[:2]: 403 for op in _CONFIG}
    holder = writer(world, as_user, "holder", {"changeProjectConfig", "writeLabel", "useSegmenter:*"})
    assert not [op[:2] for op in _CONFIG if holder.status(op) == 403]


def test_permissions_to_read_and_write_projects(app: Any, client: Any, as_user: Any, make_project: Any) -> None:
    """P-002, P-051: what the guard requires for every operation of a project, by name and for all projects."""
    guarded(make_project)
    rest = set(catalogue()) - {"readProject:*", "writeProject:*"}
    found = [one for one in operations(app) if one.rule.project is not None]
    assert len(found) > 100
    for grant in (PROJECT, "*"):
        stranger = as_user(client, "stranger", *rest)
        reader = as_user(client, "reader", *rest, f"readProject:{grant}")
        editor = as_user(client, "editor", *rest, f"writeProject:{grant}")
        for operation in found:
            reads = operation.rule.project == "read"
            verdicts = [refusal_status(app, operation, caller) for caller in (stranger, reader, editor)]
            assert verdicts == [404, 0 if reads else 403, 0], (operation.method, operation.path)


def test_permission_to_see_jobs_of_others(world: Corpus, as_user: Any) -> None:
    """P-031: others' jobs are visible with the permission; users can wait for their own without it."""
    project = world.project.name
    import_one = ("POST", "P/documents/_import_documents", {"json": [{"identifier": "d9", "text": "Nine"}]})
    without = writer(world, as_user, "without", everything_but("seeProjectJobs"))
    answer = without.caller.post(f"/api/projects/{project}/documents/_import_documents", **import_one[2])
    own = answer.json()["id"]
    world.run_jobs()
    assert without.caller.get(f"/api/projects/{project}/job/{own}").status_code == 200
    assert without.caller.post(f"/api/projects/{project}/job/{own}/_wait").status_code == 200
    others = world.caller.get(f"/api/projects/{project}/jobs").json()
    theirs = next(one["id"] for one in others if one["id"] != own)
    assert without.caller.get(f"/api/projects/{project}/job/{theirs}").status_code in (403, 404)
    assert {one["id"] for one in without.caller.get(f"/api/projects/{project}/jobs").json()} == {own}
    holder = writer(world, as_user, "holder", {"seeProjectJobs"})
    assert holder.caller.get(f"/api/projects/{project}/job/{theirs}").status_code == 200


def test_permission_to_assign_roles(world: Corpus, as_user: Any) -> None:
    """P-036: to users the caller administers, and only the named roles."""
    client = world.caller.client
    base = ("createUserIn:press", "Annotator")
    body = {"roles": ["Reader", "Annotator"]}
    assert as_user(client, "giver", *base, groups=("press",)).patch("/api/users/managed", json=body).status_code == 403
    wrong = as_user(client, "giver", *base, "assignRole:Evaluator", groups=("press",))
    assert wrong.patch("/api/users/managed", json=body).status_code == 403
    right = as_user(client, "giver", *base, "assignRole:Annotator", groups=("press",))
    assert right.patch("/api/users/managed", json=body).status_code == 200


@pytest.mark.parametrize("permission", METRICS)
def test_permissions_on_the_dashboard(world: Corpus, as_user: Any, permission: str) -> None:
    """P-041: each part of the dashboard by its permission; the overall one permits all."""
    paths = [("GET", f"P/{path}") for path in METRICS[permission]]
    without = writer(world, as_user, "without", everything_but(permission, "seeOverallStats"))
    assert [without.status(op) for op in paths] == [403] * len(paths)
    for grant in (permission, "seeOverallStats"):
        holder = writer(world, as_user, "holder", {grant})
        assert [holder.status(op) for op in paths] == [200] * len(paths)


def test_permissions_on_components(world: Corpus, as_user: Any) -> None:
    """A component is listed for users who may use it, by name or by kind."""
    client, name = world.caller.client, world.project.name

    def listed(*grants: str) -> set[str]:
        caller = as_user(client, "user", "seeHomepage", f"readProject:{name}", *grants)
        answer = caller.get(f"/api/projects/{name}/services", params={"type": "segmenter"})
        assert answer.status_code == 200, answer.text
        return {one["name"] for one in answer.json()}

    every = listed("useSegmenter:*")
    assert len(every) > 1
    assert listed() == set()
    one = min(every)
    assert listed(f"useSegmenter:{one}") == {one}
    assert listed("useConverter:*") == set()


def test_annotating_requires_only_write_access(world: Corpus, as_user: Any) -> None:
    """P-077: with the roles Reader and Annotator, and with no permission at all; not without a write share."""
    client, path = world.caller.client, world.path
    for grants in (("Reader",), ("Annotator",), ()):
        caller = as_user(client, "hand", *grants, f"writeProject:{world.project.name}")
        made = caller.post(f"{path}/annotations", json=SPAN)
        assert made.status_code == 200, grants
        one = f"{path}/annotations/{made.json()['identifier']}"
        assert caller.patch(one, json={"end": 3}).status_code == 200
        assert caller.delete(one).status_code == 200
        category = {"documentIdentifier": "d1", "labelName": "person"}
        kind = caller.post(f"{path}/categories", json=category)
        assert kind.status_code == 200, kind.text
        assert caller.delete(f"{path}/categories/{kind.json()['identifier']}").status_code == 200
        reader = as_user(client, "eye", *grants, f"readProject:{world.project.name}")
        assert reader.post(f"{path}/annotations", json=SPAN).status_code == 403


def test_owners_need_no_permission(world: Corpus, as_user: Any, make_project: Any) -> None:
    """P-075: an owner without any permission can read, write, share and delete; write access implies read access."""
    client = world.caller.client
    owner = as_user(client, "owner", "GroupMember", groups=("press",))
    own = make_project(owner="owner", group="press", writers=("other",))
    path = f"/api/projects/{own.name}"
    other = as_user(client, "other", "Reader", groups=("press",))
    assert other.get(f"{path}/_info").json()["readOnly"] is False
    share = {"params": {"username": "other"}, "json": {"read": True, "write": False}}
    assert owner.get(f"{path}/_info").status_code == 200
    assert owner.post(f"{path}/shares/users", **share).status_code in (200, 204)
    assert other.get(f"{path}/_info").json()["readOnly"] is True
    assert other.delete(path).status_code == 403
    assert owner.delete(path).status_code == 200


def test_operations_without_sign_in(app: Any, client: Any) -> None:
    """P-074: only the configuration of the web app, the build, sign-in, samples, and health."""
    open_to_all = {(one.method, one.path) for one in operations(app) if one.rule.anonymous}
    assert {path for _, path in open_to_all} <= {
        "/api/auth/login",
        "/api/ui-config",
        "/api/swagger-ui/buildInfo.json",
        "/api/samples/{file_name}",
        "/api/health/live",
        "/api/health/ready",
    }
    client.cookies.clear()
    for operation in operations(app):
        if not operation.rule.anonymous:
            assert client.request(operation.method, operation.filled()[0]).status_code == 401, operation.path


ROLES = {
    "Reader": (
        {"useSearch", "readFacet:*", "readModeAnnot:all", "seeMetadata", "seeDocuments", "seeExplore", "seeLabels"},
        {"writeLabel", "importDocuments", "exportDocuments", "annotateCorpus", "readUserAnnot:*"},
    ),
    "Annotator": (
        {"writeLabel", "seeSuggestions", "seeTest", "useSearch"},
        {"importDocuments", "exportDocuments", "annotateCorpus", "changeProjectConfig"},
    ),
    "Evaluator": (
        {"importDocuments", "annotateCorpus", "changeProjectConfig", "shareProject", "createProject"},
        {"exportDocuments", "exportDataset", "exportModels", "exportProject"},
    ),
    "ProjectManager": (
        {"exportDocuments", "exportDataset", "exportModels", "exportProject", "readUserAnnot:*", "deleteProject"},
        {"seeGlobalJobs", "createUserIn:*", "writeProject:*", "readProject:*"},
    ),
    "PlatformUserAdmin": ({"createUserIn:*", "writeGroup:*", "assignRole:*"}, {"readProject:*", "writeProject:*"}),
}


@pytest.mark.parametrize("rolename", ROLES)
def test_operations_permitted_by_each_role(
    app: Any, client: Any, as_user: Any, make_project: Any, rolename: str
) -> None:
    """P-057, P-058, P-059, P-066: each operation that a permission of the role permits, and none of the others."""
    holds, lacks = ROLES[rolename]
    held = PREDEFINED_BY_NAME[rolename].permissions
    assert holds <= held
    assert not lacks & held
    guarded(make_project)
    caller = as_user(client, "in-role", rolename, f"writeProject:{PROJECT}")
    for operation in operations(app):
        rule = operation.rule
        names = {one for one in rule.permissions if one in holds | lacks}
        if len(rule.permissions) == 1 and names:
            verdict = refusal_status(app, operation, caller)
            assert verdict == (0 if names <= holds else 403), (operation.method, operation.path)


def test_role_names_and_permissions_of_the_tour() -> None:
    """P-078, P-079: technical names are the words of the labels; the tour requires every `see` name except the
    platform's.
    """
    for role in PREDEFINED_BY_NAME.values():
        words = role.label.replace("Minimal Permissions", "Minimal").split()
        assert role.rolename == "".join(word[0].upper() + word[1:] for word in words)
    seeing = {one for one in catalogue() if one.startswith("see")}
    assert seeing - {"seeGlobalJobs"} | {"useSearch"} == TOUR_PERMISSIONS
