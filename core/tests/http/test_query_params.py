"""Query parameters that fill a model: read and refused as the framework does it, described as it describes them."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

import pytest
from fastapi import Depends, FastAPI, Query
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium.http.query_params import query_model, query_openapi
from annotarium_schemas.search import SearchQuery

# The framework's way, which is only here to compare with, makes shapes of fields that the models' library warns of.
pytestmark = pytest.mark.filterwarnings("ignore::pydantic.warnings.UnsupportedFieldAttributeWarning")
app = FastAPI()


@app.get("/theirs")
def theirs(query: Annotated[SearchQuery, Query()]) -> dict[str, Any]:
    """The framework's own way."""
    return query.model_dump()


@app.get("/ours", openapi_extra=query_openapi(SearchQuery))
def ours(query: Annotated[SearchQuery, Depends(query_model(SearchQuery))]) -> dict[str, Any]:
    """Ours."""
    return query.model_dump()


client = TestClient(app)
_NAMES = st.sampled_from([field.alias or name for name, field in SearchQuery.model_fields.items()] + ["unknown", ""])
_VALUES = st.sampled_from(["", "true", "no", "3", "-1", "99999", "text", "vector", "a,b", "é ", "null"]) | st.text()


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(_NAMES, _VALUES), max_size=6))
def test_both_ways_read_and_refuse_the_same(asked: list[tuple[str, str]]) -> None:
    query = urlencode(asked, errors="replace")
    first, second = (client.get(f"/{way}?{query}") for way in ("theirs", "ours"))
    assert first.status_code == second.status_code
    if first.status_code == 200:
        assert first.json() == second.json()
    else:
        told = [[(one["loc"], one["type"], one["msg"]) for one in it.json()["detail"]] for it in (first, second)]
        assert told[0] == told[1]


def test_a_list_is_given_by_repeating_its_name() -> None:
    answer = client.get("/ours?selectedFacets=a:1&selectedFacets=b:2&query=first&query=last&outputFields=x").json()
    assert (answer["selectedFacets"], answer["query"], answer["outputFields"]) == (["a:1", "b:2"], "last", ["x"])


def test_both_are_described_the_same() -> None:
    paths = app.openapi()["paths"]
    assert paths["/ours"]["get"]["parameters"] == paths["/theirs"]["get"]["parameters"]
