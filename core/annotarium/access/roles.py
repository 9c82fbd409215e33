"""The predefined roles (contract permissions.md 4), kept in step with the record at every start.

Technical names follow the three that are published (`Reader`, `PlatformUserAdmin`, `Minimal`): the words of the label,
joined. `{group}` in a permission stands for each group of the user.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from sqlalchemy.orm import Session

from annotarium.access import repository, revision
from annotarium.access.permissions import COMPONENT_FAMILIES, OWN_ACCOUNT_PERMISSIONS
from annotarium.db.database import prepare_exclusively
from annotarium.db.models import Role

RoleType = Literal["system", "functional"]

MINIMAL = "Minimal"
READER = "Reader"
PLATFORM_USER_ADMIN = "PlatformUserAdmin"


@dataclass(frozen=True)
class PredefinedRole:
    """A role of the product. `restricted` roles are given by platform user administrators only."""

    rolename: str
    label: str
    description: str
    type: RoleType
    permissions: frozenset[str]
    restricted: bool = False


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_MINIMAL = OWN_ACCOUNT_PERMISSIONS
_READER = _MINIMAL | _set(
    "seeHomepage seeHelp seeDocuments seeExplore seeLabels useSearch seeMetadata readModeAnnot:all readFacet:*"
)
_ANNOTATOR = _READER | _set("seeSuggestions seeTest writeLabel")
_PROJECT_MANAGER = _ANNOTATOR | _set(
    "annotateCorpus changeProjectConfig createProject deleteDocuments deleteProject exportDataset exportDocuments "
    "exportModels exportProject importDocuments importModels importTerms modifyMetadata shareProject useHybridSearch "
    "writeProjectMessage readUserAnnot:* seeAdvancedSettings seeCorpusStats seeDatasetStats seeExperiments "
    "seeGazetteers seeModelStats seeOverallStats seePlans seeProjectJobs seeQuestionAnswering seeSearchCompare "
    "seeSearchKnownAnswer seeSearchOptions seeSuggestersSettings seeTour useConverter:*"
)
_EVALUATOR = _PROJECT_MANAGER - _set("exportDocuments exportDataset exportModels exportProject")
_ALL_PROJECTS = _set("readProject:* writeProject:* readUserAnnot:* readModeAnnot:all")
_ALL_COMPONENTS = frozenset(f"{family}:*" for family in COMPONENT_FAMILIES)
_DEFAULT_COMPONENTS = _ALL_COMPONENTS - {"useSvcProvider:*"}


def _role(
    rolename: str,
    label: str,
    description: str,
    permissions: frozenset[str],
    *,
    system: bool = False,
    restricted: bool = False,
) -> PredefinedRole:
    return PredefinedRole(
        rolename, label, description, "system" if system else "functional", permissions, restricted or system
    )


PREDEFINED_ROLES: tuple[PredefinedRole, ...] = (
    _role(MINIMAL, "Minimal Permissions", "Sees the own account only.", _MINIMAL, system=True),
    _role(READER, "Reader", "Browses and annotates.", _READER),
    _role("Annotator", "Annotator", "Annotates by hand.", _ANNOTATOR),
    _role(
        "Evaluator",
        "Evaluator",
        "Does everything in a project except exporting documents, datasets, models and projects.",
        _EVALUATOR,
    ),
    _role(
        "ProjectManager",
        "Project Manager",
        "Data analyst: writes guidelines, builds datasets, models and plans.",
        _PROJECT_MANAGER,
    ),
    _role("GroupMember", "Group Member", "Opens what is shared with the group.", _set("seeHomepage"), system=True),
    _role(
        "GroupProjectAdmin",
        "Group Project Admin",
        "Sees and manages all projects of the own groups and changes their shares.",
        _PROJECT_MANAGER,
        system=True,
    ),
    _role(
        "GroupUserAdmin",
        "Group User Admin",
        "Manages the users of the own groups.",
        _set("createUserIn:{group} writeGroup:{group}"),
        system=True,
    ),
    _role(
        "PlatformProjectAdmin",
        "Platform Project Admin",
        "Sees and manages all projects.",
        _ALL_PROJECTS | _set("shareProject deleteProject seeGlobalJobs writeGlobalMessage"),
        system=True,
    ),
    _role(
        "PlatformCorpusAdmin",
        "Platform Corpus Admin",
        "Manages the documents of all projects.",
        _ALL_PROJECTS
        | _set("importDocuments deleteDocuments exportDataset exportDocuments exportModels exportProject")
        | _set("useConverter:*"),
        system=True,
    ),
    _role(
        PLATFORM_USER_ADMIN,
        "Platform User Admin",
        "Manages all groups and all users.",
        _set("createUserIn:* writeGroup:* assignRole:*"),
        system=True,
    ),
    _role(
        "PlatformThemeAdmin",
        "Platform Theme Admin",
        "Creates themes and shares them with everybody.",
        _set("createTheme readTheme:* seeUiSettings"),
        system=True,
    ),
    _role(
        "PlatformMember",
        "Platform Member",
        "Sees the themes that are shared with everybody.",
        _set("readTheme:{shared}"),
        system=True,
    ),
    _role(
        "ProductionAPIUser",
        "Production API User",
        "Calls the annotation web service without being slowed down.",
        _ALL_COMPONENTS | {"useProduction"},
        restricted=True,
    ),
    _role(
        "EnableAnnotationCampaigns",
        "Enable annotation campaigns",
        "Takes part in annotation campaigns and runs them.",
        _set("seeCampaign writeCampaign"),
    ),
    _role("DevelopmentTools", "Development tools", "Tests mail templates.", _set("testMailTemplates"), system=True),
    _role("AlphaFeatures", "Alpha features", "Sees features marked alpha.", frozenset(), restricted=True),
    _role("BetaFeatures", "Beta features", "Sees features marked beta.", frozenset(), restricted=True),
    _role(
        "DefaultAnnotationComponents",
        "Default annotation components",
        "Uses the components that work on this machine.",
        _DEFAULT_COMPONENTS,
    ),
    _role(
        "AllAnnotationComponents",
        "All annotation components",
        "Uses every component, those that call outside services included.",
        _ALL_COMPONENTS,
    ),
    _role(
        "BetaAnnotationComponents",
        "Beta annotation components",
        "Uses components marked beta.",
        frozenset(),
        restricted=True,
    ),
)

PREDEFINED_BY_NAME = {role.rolename: role for role in PREDEFINED_ROLES}
_MORE_THAN_READER = frozenset(role.rolename for role in PREDEFINED_ROLES if role.permissions > _READER)


def hidden_facets(rolenames: Collection[str]) -> frozenset[str]:
    """Facets that the role Reader hides (contract W-015); who holds a role that includes Reader sees them."""
    hidden = READER in rolenames and _MORE_THAN_READER.isdisjoint(rolenames)
    return frozenset({"inDataset"}) if hidden else frozenset()


def ensure_roles(session: Session) -> None:
    """Write the predefined roles that are missing or differ. Safe at every start, in a writing transaction."""
    prepare_exclusively(session.connection())
    present = repository.read_roles(session)
    changed = False
    for wanted in PREDEFINED_ROLES:
        role = present.get(wanted.rolename)
        if role is None:
            role = Role(rolename=wanted.rolename, predefined=True, created_by="")
            session.add(role)
        elif _is_current(role, wanted):
            continue
        role.label, role.description, role.type = wanted.label, wanted.description, wanted.type
        role.permissions, role.restricted = sorted(wanted.permissions), wanted.restricted
        role.predefined, role.group_id = True, None
        changed = True
    if changed:
        revision.bump(session)


def _is_current(role: Role, wanted: PredefinedRole) -> bool:
    return (
        role.predefined
        and set(role.permissions) == wanted.permissions
        and (role.label, role.description, role.type, role.restricted)
        == (wanted.label, wanted.description, wanted.type, wanted.restricted)
    )
