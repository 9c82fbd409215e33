"""Query parameters that fill a model, read in one go.

The framework looks at every field of such a model anew with each request: for the twenty of a search that takes longer
than searching. Here the parameters are sorted by what was found out once, and the model checks them.

    @router.post("/things/_search", openapi_extra=described(ThingQuery))
    @guarded()
    def search_things(call: Call, query: Annotated[ThingQuery, Depends(query_of(ThingQuery))]) -> Things:
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any, TypeVar, get_origin

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)


@lru_cache
def query_model(model: type[Model]) -> Callable[[Request], Awaitable[Model]]:
    """What reads the query parameters of a request as the model; those that it does not know are its own affair.

    A parameter that is given several times fills a list; of others the last one counts.
    """
    lists = frozenset(
        known
        for name, field in model.model_fields.items()
        if get_origin(field.annotation) is list
        for known in (name, field.alias)
    )

    async def read(request: Request) -> Model:
        given: dict[str, Any] = {}
        for name, value in request.query_params.multi_items():
            if name in lists:
                given.setdefault(name, []).append(value)
            else:
                given[name] = value
        try:
            return model.model_validate(given)
        except ValidationError as error:
            faults = error.errors(include_url=False)
            raise RequestValidationError([{**one, "loc": ("query", *one["loc"])} for one in faults]) from error

    return read


@lru_cache
def query_openapi(model: type[BaseModel]) -> dict[str, Any]:
    """The parameters as the description of the API tells them, for `openapi_extra`."""
    parameters = []
    for name, field in model.model_json_schema()["properties"].items():
        if field.get("default", "") is None:  # may be left out, which is what null would say
            del field["default"]
        parameters.append({"name": name, "in": "query", "required": False, "schema": field})
    return {"parameters": parameters}
