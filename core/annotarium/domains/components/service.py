"""The registry's components in the published form: engines, services, their values and parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from annotarium.access.rights import Access
from annotarium.db.models import Project
from annotarium.domains.components.schemas import UnavailableEngine
from annotarium.errors import AccessDenied, NotFound
from annotarium.registry import get_registry
from annotarium.registry.component_info import ComponentDescription
from annotarium.registry.messages import component_not_installed
from annotarium_plugins.kinds import KIND_BY_NAME, KINDS
from annotarium_schemas.messages import message

ENGINE_TYPES = ("learner", "gazetteer", "suggester")
"""The component kinds that the API calls engines (C-077)."""
QUESTION_KINDS = ("searchParamsBuilder", "reranker", "ragContextBuilder", "questionAnswerer")
"""The component kinds that answer questions, in the order in which they run."""
API_VERSION = "1"
FUNCTIONS = {
    "converter": "convert",
    "formatter": "format",
    "languageGuesser": "guess_language",
    "segmenter": "segment",
    "annotator": "annotate",
    "processor": "process",
    "vectorizer": "vectorize",
    "learner": "learn",
    "suggester": "suggest",
    "gazetteer": "match",
    "termImporter": "import_terms",
    "searchParamsBuilder": "build_search_params",
    "reranker": "rerank",
    "ragContextBuilder": "build_context",
    "questionAnswerer": "answer",
}
_REMOVED_CONVERTERS = frozenset({"genericxml"})  # C-092


def service_metadata_field(kind: str) -> str:
    """Name of a kind's field in the metadata of a service record: `languageGuessers` for `languageGuesser`."""
    return f"{kind}s"


def may_use_component(access: Access, kind: str, name: str) -> bool:
    """Whether the caller may list, configure and run a component."""
    return access.can(get_registry().permission(kind, name))


def require_component(access: Access, kind: str, name: str) -> None:
    """Raise `NotFound` unless the component is installed, `AccessDenied` unless the caller may use it,
    `ServiceUnavailable` if it lacks a setting.
    """
    _require_known_component(access, kind, name)
    get_registry().require_setting(kind, name)


def _require_known_component(access: Access, kind: str, name: str) -> None:
    """Like `require_component`, for what is possible without the setting."""
    registry = get_registry()
    if name not in registry.names(kind) and not registry.missing_setting(kind, name):
        raise NotFound(component_not_installed(kind, name), fix=message("fix.ofTheList", "Choose one from the list"))
    if not may_use_component(access, kind, name):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.component", "You may not use the {kind} {name}", kind=kind, name=name),
        )


def _suits_project(description: ComponentDescription, project: Project | None, nature: str) -> bool:
    wanted = nature or (project.nature if project else "")
    if wanted and description.natures and wanted not in description.natures:
        return False
    language = project.lang if project else ""
    return not description.languages or language in ("", "xx") or language in description.languages


def usable_component_descriptions(
    access: Access,
    kind: str,
    *,
    project: Project | None = None,
    nature: str = "",
    language: str = "en",
    include_unavailable: bool = False,
) -> Iterator[ComponentDescription]:
    """Available components of a kind that suit the project's nature and language and that the caller may use.

    Args:
        include_unavailable: also those that are installed but disabled or broken; natures and languages are not known
            of them.
    """
    registry = get_registry()
    for name in sorted({info.name for info in registry.list(kind)}) if include_unavailable else registry.names(kind):
        if name in _REMOVED_CONVERTERS and kind == "converter":
            continue
        if may_use_component(access, kind, name):
            description = registry.describe(kind, name, language=language)
            if description.info.state != "available":
                if include_unavailable:
                    yield description
            elif _suits_project(description, project, nature):
                yield description


def _require_engine_type(type_: str, types: Sequence[str] = ENGINE_TYPES) -> None:
    if type_ not in types:
        raise NotFound(
            message("none.engineType", "There is no engine type {name}", name=type_),
            fix=f"Use one of {', '.join(types)}",
        )


def list_engines(access: Access, project: Project, type_: str, nature: str) -> list[str]:
    """Names of the usable engines of a type; `NotFound` for an unknown type."""
    _require_engine_type(type_)
    return [item.info.name for item in usable_component_descriptions(access, type_, project=project, nature=nature)]


def list_unavailable_engines(access: Access, project: Project, type_: str, language: str) -> list[UnavailableEngine]:
    """Engines, or components that answer questions, of a type that suit the project and that the caller could use if
    this server had a setting for them.

    Platform administrators also read which setting.
    """
    _require_engine_type(type_, (*ENGINE_TYPES, *QUESTION_KINDS))
    return [
        UnavailableEngine(
            name=one.info.name,
            title=one.title,
            description=one.description,
            setting=one.info.missing_setting if access.is_platform_user_administrator else None,
        )
        for one in get_registry().list_without_setting(type_, language)
        if may_use_component(access, type_, one.info.name) and _suits_project(one, project, "")
    ]


def parameters_form(access: Access, kind: str, name: str, *, ui_schema: bool, language: str = "en") -> dict[str, Any]:
    """The JSON Schema of a component's parameters.

    With `ui_schema`: a form with schema, UI hints, defaults, title, description, languages and natures. A component
    that lacks a setting has a form, too: what was created earlier can be read.
    """
    _require_known_component(access, kind, name)
    description = get_registry().describe(kind, name, language=language)
    if not ui_schema:
        return description.parameters_schema
    return {
        "schema": description.parameters_schema,
        "uiSchema": description.ui_schema,
        "defaults": description.defaults,
        "title": description.title,
        "description": description.description,
        "languages": list(description.languages),
        "natures": list(description.natures),
        "needsLabels": description.needs_labels,
    }


def kind_of_function(function: str) -> str:
    """The component kind that offers a function (or has this name); `NotFound` if there is none."""
    for kind, offered in FUNCTIONS.items():
        if function in (offered, kind):
            return kind
    raise NotFound(
        message("none.function", "There is no function {name}", name=function),
        fix=f"Use one of {', '.join(FUNCTIONS.values())}",
    )


def _service_entry(kind: str, description: ComponentDescription) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        "api": KIND_BY_NAME[kind].group,
        "compatibility": API_VERSION,
        "version": description.info.version,
        "name": description.info.name,
        "title": description.title,
        "description": description.description,
        "functions": FUNCTIONS[kind],
        "languages": ",".join(description.languages),
        "natures": ",".join(description.natures),
        service_metadata_field(kind): description.info.name,
    }
    if description.extensions:
        metadata["extensions"] = f"{description.info.name}: {'/'.join(description.extensions)}"
    if kind in ENGINE_TYPES:
        metadata["engine"] = description.info.name
    if description.info.state != "available":
        state = "optional" if description.info.optional else description.info.state
        metadata |= {"state": state}
        if not description.info.optional:  # what to install is for those who run the server: `annotarium plugins list`
            metadata |= {"reason": description.info.reason}
    # Components run in this server's workers, so there is no host and no port to name.
    return {"name": description.info.name, "host": "", "port": 0, "ssl": False, "metadata": metadata}


def list_services(
    access: Access,
    filters: dict[str, str],
    *,
    project: Project | None = None,
    language: str = "en",
    include_unavailable: bool = False,
) -> list[dict[str, Any]]:
    """Service records that match all filters: name, api, function, engine, type, nature, language, version, {kind}.

    With `include_unavailable` also of components that cannot be used now; their metadata have `state` and `reason`.
    """
    found = []
    for kind in KINDS:
        if any(name in KIND_BY_NAME and name != kind.name for name, value in filters.items() if value):
            continue
        for item in usable_component_descriptions(
            access,
            kind.name,
            project=project,
            nature=filters.get("nature", ""),
            language=language,
            include_unavailable=include_unavailable,
        ):
            if _matches_filters(kind.name, item, filters):
                found.append(_service_entry(kind.name, item))
    return found


def _matches_filters(kind: str, item: ComponentDescription, filters: dict[str, str]) -> bool:
    name = item.info.name
    facts = {
        "name": name,
        "api": KIND_BY_NAME[kind].group,
        "function": FUNCTIONS[kind],
        "engine": name if kind in ENGINE_TYPES else "",
        "type": kind,
        "version": item.info.version,
        kind: name,
    }
    for key, wanted in filters.items():
        if not wanted or key == "nature":
            continue
        if key == "language":
            if item.languages and wanted not in item.languages:
                return False
        elif facts.get(key) not in (wanted,) and wanted != "*":
            return False
    return True


def service_values(access: Access, field: str, filters: dict[str, str], language: str = "en") -> list[Any]:
    """Distinct values of a field (`metadata.termImporters`, `name`, ...) in the matching service records."""
    values: dict[str, None] = {}
    for record in list_services(access, filters, language=language):
        value = (
            record["metadata"].get(field.removeprefix("metadata."))
            if field.startswith("metadata.")
            else record.get(field)
        )
        if value not in (None, ""):
            values[str(value)] = None
    return list(values)
