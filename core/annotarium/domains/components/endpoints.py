"""Endpoints for a project's engines, for services, and for the forms of their parameters."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Header, Query, Request

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.components import service
from annotarium.domains.components.schemas import UnavailableEngine
from annotarium.http.routing import DomainRouter
from annotarium.registry.defaults import ComponentDefaults, component_defaults
from annotarium.registry.locales import language_of_header
from annotarium_schemas.modelling import HttpServiceRecord

router = DomainRouter(tags=["components"])

Type = Annotated[str, Query(description="learner, gazetteer or suggester")]
UiSchema = Annotated[bool, Query(alias="uiSchema", description="The whole form instead of the bare schema")]
Unavailable = Annotated[
    bool,
    Query(
        alias="includeUnavailable",
        description="Also installed services that are disabled or broken; metadata `state` and `reason` (extension)",
    ),
]
Language = Annotated[str, Header(alias="accept-language")]
FILTERS = (
    "name",
    "api",
    "engine",
    "function",
    "language",
    "type",
    "nature",
    "version",
    "termImporter",
    "annotator",
    "processor",
    "formatter",
    "converter",
    "segmenter",
    "vectorizer",
    "languageGuesser",
)
EMBEDDED = "Has no effect: all services are embedded here, and always listed."
IGNORED = {
    "includeEmbeddedServices": EMBEDDED,
    "keepAlive": "Has no effect: services that are listed are there.",
}
FILTERED: dict[str, Any] = {
    "parameters": [
        *({"name": name, "in": "query", "required": False, "schema": {"type": "string"}} for name in FILTERS),
        *(
            {"name": name, "in": "query", "required": False, "schema": {"type": "boolean"}, "description": words}
            for name, words in IGNORED.items()
        ),
    ]
}


def _service_filters(request: Request) -> dict[str, str]:
    return {name: request.query_params.get(name, "") for name in FILTERS}


@router.get("/component-defaults")
@guarded(write=False)
def read_component_defaults(call: Call) -> ComponentDefaults:
    """Components that the studio proposes where nobody chose one; they may be missing here."""
    return component_defaults()


@router.get("/projects/{project_name}/engines")
@guarded(project="read")
def list_engines(call: ProjectCall, type: Type, nature: str = "") -> list[str]:
    """List the names of the engines that suit the project's nature and language."""
    return service.list_engines(call.access, call.project, type, nature)


@router.get("/projects/{project_name}/unavailable_engines", response_model_exclude_none=True)
@guarded(project="read")
def list_unavailable_engines(
    call: ProjectCall, type: Type, accept_language: Language = "en"
) -> list[UnavailableEngine]:
    """List engines that suit the project and that this server is not set up for."""
    return service.list_unavailable_engines(call.access, call.project, type, language_of_header(accept_language))


@router.get("/projects/{project_name}/engine_parameters")
@guarded(project="read")
def engine_parameters(
    call: ProjectCall,
    type: Type,
    engine: str,
    ui_schema: UiSchema = False,
    preset_metadata_values: Annotated[
        bool,
        Query(alias="presetMetadataValues", description="Has no effect: forms name no values of a project's metadata."),
    ] = True,
    accept_language: Language = "en",
) -> dict[str, Any]:
    """Return the JSON Schema of an engine's parameters, or its form with `uiSchema`."""
    return service.parameters_form(
        call.access, type, engine, ui_schema=ui_schema, language=language_of_header(accept_language)
    )


@router.get(
    "/projects/{project_name}/services",
    responses={200: {"model": list[HttpServiceRecord]}},
    openapi_extra=FILTERED,
)
@guarded(project="read")
def list_project_services(
    call: ProjectCall, http: Request, include_unavailable: Unavailable = False, accept_language: Language = "en"
) -> list[dict[str, Any]]:
    """List the services that suit the project's nature and language."""
    return service.list_services(
        call.access,
        _service_filters(http),
        project=call.project,
        language=language_of_header(accept_language),
        include_unavailable=include_unavailable,
    )


@router.get("/services", responses={200: {"model": list[HttpServiceRecord]}}, openapi_extra=FILTERED)
@guarded(write=False)
def list_services(call: Call, http: Request, accept_language: Language = "en") -> list[dict[str, Any]]:
    """List all services that the caller may use."""
    return service.list_services(call.access, _service_filters(http), language=language_of_header(accept_language))


@router.get("/service_values", openapi_extra=FILTERED)
@guarded(write=False)
def service_values(call: Call, http: Request, field: str, accept_language: Language = "en") -> list[Any]:
    """List the distinct values of one field of the services."""
    return service.service_values(call.access, field, _service_filters(http), language_of_header(accept_language))


@router.get("/services/{service_name}/parameters")
@guarded(write=False)
def service_parameters(
    call: Call,
    service_name: str,
    function: str,
    nature: str = "",
    ui_schema: UiSchema = False,
    include_embedded_services: Annotated[bool, Query(alias="includeEmbeddedServices", description=EMBEDDED)] = False,
    accept_language: Language = "en",
) -> dict[str, Any]:
    """Return the JSON Schema of the parameters of a service's function, or its form with `uiSchema`."""
    kind = service.kind_of_function(function)
    return service.parameters_form(
        call.access, kind, service_name, ui_schema=ui_schema, language=language_of_header(accept_language)
    )
