"""The catalogue of permissions and the capabilities that follow from them (contract permissions.md 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterable

SEE_PERMISSIONS: tuple[str, ...] = (
    "seeAdvancedSettings",
    "seeCampaign",
    "seeCorpusStats",
    "seeDatasetStats",
    "seeDocuments",
    "seeExperiments",
    "seeExplore",
    "seeGazetteers",
    "seeGlobalJobs",
    "seeHelp",
    "seeHomepage",
    "seeLabels",
    "seeLanguageBtn",
    "seeLogout",
    "seeMetadata",
    "seeModelStats",
    "seeOverallStats",
    "seePlans",
    "seeProjectJobs",
    "seeQuestionAnswering",
    "seeSearchCompare",
    "seeSearchKnownAnswer",
    "seeSearchOptions",
    "seeSuggestersSettings",
    "seeSuggestions",
    "seeTest",
    "seeTour",
    "seeUiSettings",
    "seeUserProfile",
)

GENERAL_PERMISSIONS: tuple[str, ...] = (
    "annotateCorpus",
    "changeProjectConfig",
    "createProject",
    "createTheme",
    "deleteDocuments",
    "deleteProject",
    "exportDataset",
    "exportDocuments",
    "exportModels",
    "exportProject",
    "importDocuments",
    "importModels",
    "importTerms",
    "modifyMetadata",
    "shareProject",
    "testMailTemplates",
    "useHybridSearch",
    "useProduction",
    "useSearch",
    "writeCampaign",
    "writeGlobalMessage",
    "writeLabel",
    "writeProjectMessage",
)

NAMED_FAMILIES: tuple[str, ...] = (
    "assignRole",
    "createUserIn",
    "readFacet",
    "readProject",
    "readTheme",
    "readUserAnnot",
    "writeGroup",
    "writeProject",
)
"""Families of permissions `family:name`; `family:*` covers every name."""

COMPONENT_FAMILIES: tuple[str, ...] = (
    "useAnnotator",
    "useConverter",
    "useEngine",
    "useFormatter",
    "useLanguageGuesser",
    "useProcessor",
    "useSegmenter",
    "useSvcProvider",
    "useTermImporter",
    "useVectorizer",
)

OWN_ACCOUNT_PERMISSIONS = frozenset({"seeLanguageBtn", "seeLogout", "seeUserProfile"})
"""Permissions on the own account only (role Minimal). A user with no others may not see other users."""

ANNOTATION_MODES: tuple[str, ...] = ("all", "automatic", "imported", "manual")

TOUR_PERMISSIONS = frozenset(SEE_PERMISSIONS) - {"seeGlobalJobs"} | {"useSearch"}


def catalogue(components: Iterable[str] = ()) -> list[str]:
    """Every permission that can be granted, sorted: fixed names, `*` of each family, and those of components."""
    permissions = set(SEE_PERMISSIONS) | set(GENERAL_PERMISSIONS)
    permissions.update(f"{family}:*" for family in (*NAMED_FAMILIES, *COMPONENT_FAMILIES))
    permissions.update(f"readModeAnnot:{mode}" for mode in ANNOTATION_MODES)
    return sorted(permissions.union(components))


def is_permission(text: str) -> bool:
    """Whether the text is a valid permission: a fixed name or `family:name` of a known family."""
    if text in SEE_PERMISSIONS or text in GENERAL_PERMISSIONS:
        return True
    family, colon, name = text.partition(":")
    if not colon or not name or len(text) > 200 or "\0" in text:
        return False
    if family == "readModeAnnot":
        return name in ANNOTATION_MODES
    return family in NAMED_FAMILIES or family in COMPONENT_FAMILIES
