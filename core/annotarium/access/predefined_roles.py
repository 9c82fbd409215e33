"""The predefined roles (contract permissions.md 4), written to the database at every start.

Technical names follow the three published ones (`Reader`, `PlatformUserAdmin`, `Minimal`): the words of the label,
joined. `{group}` in a permission stands for each group of the user.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from sqlalchemy.orm import Session

from annotarium.access import repository, rights_revision
from annotarium.access.permissions import COMPONENT_FAMILIES, OWN_ACCOUNT_PERMISSIONS
from annotarium.db.database import lock_database_preparation
from annotarium.db.models import Role

RoleType = Literal["system", "functional"]

MINIMAL = "Minimal"
READER = "Reader"
PLATFORM_USER_ADMIN = "PlatformUserAdmin"


@dataclass(frozen=True)
class PredefinedRole:
    """A predefined role. Only platform user administrators may assign `restricted` roles."""

    rolename: str
    label: str
    description: str
    type: RoleType
    permissions: frozenset[str]
    restricted: bool = False


def _permission_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_MINIMAL = OWN_ACCOUNT_PERMISSIONS
_READER = _MINIMAL | _permission_set(
    "seeHomepage seeHelp seeDocuments seeExplore seeLabels useSearch seeMetadata readModeAnnot:all readFacet:*"
)
_ANNOTATOR = _READER | _permission_set("seeSuggestions seeTest writeLabel")
_TEAM_ANNOTATOR = _ANNOTATOR | _permission_set("readUserAnnot:*")
_PROJECT_MANAGER = _ANNOTATOR | _permission_set(
    "annotateCorpus changeProjectConfig createProject deleteDocuments deleteProject exportDataset exportDocuments "
    "exportModels exportProject importDocuments importModels importTerms modifyMetadata shareProject useHybridSearch "
    "writeProjectMessage readUserAnnot:* seeAdvancedSettings seeCorpusStats seeDatasetStats seeExperiments "
    "seeGazetteers seeModelStats seeOverallStats seePlans seeProjectJobs seeQuestionAnswering seeSearchCompare "
    "seeSearchKnownAnswer seeSearchOptions seeSuggestersSettings seeTour useConverter:*"
)
_EVALUATOR = _PROJECT_MANAGER - _permission_set("exportDocuments exportDataset exportModels exportProject")
_ALL_PROJECTS = _permission_set("readProject:* writeProject:* readUserAnnot:* readModeAnnot:all")
_ALL_COMPONENTS = frozenset(f"{family}:*" for family in COMPONENT_FAMILIES)
_DEFAULT_COMPONENTS = _ALL_COMPONENTS - {"useSvcProvider:*"}


def _make_predefined_role(
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
    _make_predefined_role(MINIMAL, "Minimal Permissions", "Sees the own account only.", _MINIMAL, system=True),
    _make_predefined_role(READER, "Reader", "Browses and annotates.", _READER),
    _make_predefined_role("Annotator", "Annotator", "Annotates by hand.", _ANNOTATOR),
    _make_predefined_role(
        "TeamAnnotator",
        "Team Annotator",
        "Annotates by hand together with others: sees what they annotate.",
        _TEAM_ANNOTATOR,
    ),
    _make_predefined_role(
        "Evaluator",
        "Evaluator",
        "Does everything in a project except exporting documents, datasets, models and projects.",
        _EVALUATOR,
    ),
    _make_predefined_role(
        "ProjectManager",
        "Project Manager",
        "Data analyst: writes guidelines, builds datasets, models and plans.",
        _PROJECT_MANAGER,
    ),
    _make_predefined_role(
        "GroupMember",
        "Group Member",
        "Opens what is shared with the group.",
        _permission_set("seeHomepage"),
        system=True,
    ),
    _make_predefined_role(
        "GroupProjectAdmin",
        "Group Project Admin",
        "Sees and manages all projects of the own groups and changes their shares.",
        _PROJECT_MANAGER,
        system=True,
    ),
    _make_predefined_role(
        "GroupUserAdmin",
        "Group User Admin",
        "Manages the users of the own groups.",
        _permission_set("createUserIn:{group} writeGroup:{group}"),
        system=True,
    ),
    _make_predefined_role(
        "PlatformProjectAdmin",
        "Platform Project Admin",
        "Sees and manages all projects.",
        _ALL_PROJECTS | _permission_set("shareProject deleteProject seeGlobalJobs writeGlobalMessage"),
        system=True,
    ),
    _make_predefined_role(
        "PlatformCorpusAdmin",
        "Platform Corpus Admin",
        "Manages the documents of all projects.",
        _ALL_PROJECTS
        | _permission_set("importDocuments deleteDocuments exportDataset exportDocuments exportModels exportProject")
        | _permission_set("useConverter:*"),
        system=True,
    ),
    _make_predefined_role(
        PLATFORM_USER_ADMIN,
        "Platform User Admin",
        "Manages all groups and all users.",
        _permission_set("createUserIn:* writeGroup:* assignRole:*"),
        system=True,
    ),
    _make_predefined_role(
        "PlatformThemeAdmin",
        "Platform Theme Admin",
        "Creates themes and shares them with everybody.",
        _permission_set("createTheme readTheme:* seeUiSettings"),
        system=True,
    ),
    _make_predefined_role(
        "PlatformMember",
        "Platform Member",
        "Sees the themes that are shared with everybody.",
        _permission_set("readTheme:{shared}"),
        system=True,
    ),
    _make_predefined_role(
        "ProductionAPIUser",
        "Production API User",
        "Calls the annotation web service without being slowed down.",
        _ALL_COMPONENTS | {"useProduction"},
        restricted=True,
    ),
    _make_predefined_role(
        "EnableAnnotationCampaigns",
        "Enable annotation campaigns",
        "Takes part in annotation campaigns and runs them.",
        _permission_set("seeCampaign writeCampaign"),
    ),
    _make_predefined_role(
        "DevelopmentTools",
        "Development tools",
        "Tests mail templates.",
        _permission_set("testMailTemplates"),
        system=True,
    ),
    _make_predefined_role(
        "AlphaFeatures", "Alpha features", "Sees features marked alpha.", frozenset(), restricted=True
    ),
    _make_predefined_role("BetaFeatures", "Beta features", "Sees features marked beta.", frozenset(), restricted=True),
    _make_predefined_role(
        "DefaultAnnotationComponents",
        "Default annotation components",
        "Uses the components that work on this machine.",
        _DEFAULT_COMPONENTS,
    ),
    _make_predefined_role(
        "AllAnnotationComponents",
        "All annotation components",
        "Uses every component, those that call outside services included.",
        _ALL_COMPONENTS,
    ),
    _make_predefined_role(
        "BetaAnnotationComponents",
        "Beta annotation components",
        "Uses components marked beta.",
        frozenset(),
        restricted=True,
    ),
)

PREDEFINED_BY_NAME = {role.rolename: role for role in PREDEFINED_ROLES}
_MORE_THAN_READER = frozenset(role.rolename for role in PREDEFINED_ROLES if role.permissions > _READER)


def facets_hidden_by_roles(rolenames: Collection[str]) -> frozenset[str]:
    """Facets hidden by the role Reader (contract W-015), unless another role has all of Reader's permissions."""
    hidden = READER in rolenames and _MORE_THAN_READER.isdisjoint(rolenames)
    return frozenset({"inDataset"}) if hidden else frozenset()


def ensure_predefined_roles(session: Session) -> None:
    """Write the predefined roles that are missing or differ. Needs a writing transaction; safe at every start."""
    lock_database_preparation(session.connection())
    present = repository.read_all_roles(session)
    changed = False
    for wanted in PREDEFINED_ROLES:
        role = present.get(wanted.rolename)
        if role is None:
            role = Role(rolename=wanted.rolename, predefined=True, created_by="")
            session.add(role)
        elif _is_role_up_to_date(role, wanted):
            continue
        role.label, role.description, role.type = wanted.label, wanted.description, wanted.type
        role.permissions, role.restricted = sorted(wanted.permissions), wanted.restricted
        role.predefined, role.group_id = True, None
        changed = True
    if changed:
        rights_revision.note_rights_change(session)


def _is_role_up_to_date(role: Role, wanted: PredefinedRole) -> bool:
    return (
        role.predefined
        and set(role.permissions) == wanted.permissions
        and (role.label, role.description, role.type, role.restricted)
        == (wanted.label, wanted.description, wanted.type, wanted.restricted)
    )
