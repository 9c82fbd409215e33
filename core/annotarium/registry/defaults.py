"""Default components: `defaults.toml`, overridden by the administrator's file."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from annotarium.errors import InvalidInput
from annotarium.settings import get_settings

PRODUCT_FILE = Path(__file__).with_name("defaults.toml")


Name = Annotated[str, Field(min_length=1, max_length=255)]


class _Table(BaseModel):
    """A table of the file: other keys and types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class DefaultComponent(_Table):
    """A component by its name."""

    name: Name


class ClusteringDefaults(_Table):
    """Learners that find topics, in order of preference, and what their parameters are set to."""

    learners: list[Name]
    parameters: dict[str, Any] = Field(default_factory=dict)


class PredefinedStep(_Table):
    """A component of a ready-made annotator."""

    kind: Literal["annotator", "processor", "suggester"]
    name: Name
    linker: bool = Field(False, description="Whether it is asked for the labels of the set, and `concept` for the rest")
    parameters: dict[str, Any] = Field(default_factory=dict)


class PredefinedAnnotator(_Table):
    """A ready-made annotator: a plan of steps, or a suggester."""

    key: Annotated[str, Field(pattern="^[a-z0-9_]+$", max_length=60)] = Field(
        description="Stored as the tag `predefined-<key>` of what is created"
    )
    type: Literal["plan", "suggester"]
    title: Annotated[str, Field(max_length=255)] = Field("", description="Empty: the studio has a text for the key")
    labels: Literal["media", "health", "wikidata"]
    steps: Annotated[list[PredefinedStep], Field(min_length=1)]

    @model_validator(mode="after")
    def _steps_suit_the_type(self) -> Self:
        suggesters = [step.kind == "suggester" for step in self.steps]
        if suggesters != [True] if self.type == "suggester" else any(suggesters):
            raise ValueError("a suggester has one step of the kind suggester, a plan has none")
        return self


class ComponentDefaults(_Table):
    """The tables of the file."""

    segmenter: DefaultComponent
    document_segmenter: DefaultComponent
    vectorizer: DefaultComponent
    search_params_builder: DefaultComponent
    reranker: DefaultComponent
    learning_reranker: DefaultComponent
    rag_context_builder: DefaultComponent
    question_answerer: DefaultComponent
    clustering: ClusteringDefaults
    predefined: list[PredefinedAnnotator]

    def question_component(self, kind: str) -> str:
        """Return the name of the default component of a kind that answers questions (`questionAnswerer`)."""
        parts = {
            "searchParamsBuilder": self.search_params_builder,
            "reranker": self.reranker,
            "ragContextBuilder": self.rag_context_builder,
            "questionAnswerer": self.question_answerer,
        }
        return parts[kind].name


@lru_cache(maxsize=1)
def product_defaults() -> ComponentDefaults:
    """The defaults of the product, which published schemas contain."""
    return ComponentDefaults.model_validate(_read_toml_tables(PRODUCT_FILE))


def component_defaults() -> ComponentDefaults:
    """The defaults of this installation.

    Raises:
        InvalidInput: the administrator's file cannot be read, or contains an unknown table, key or type.
    """
    path = get_settings().defaults
    return product_defaults() if path is None else _load_installation_defaults(path)


@lru_cache(maxsize=1)
def _load_installation_defaults(path: Path) -> ComponentDefaults:
    try:
        return ComponentDefaults.model_validate(_read_toml_tables(PRODUCT_FILE) | _read_toml_tables(path))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        cause = str(error)
    except ValidationError as error:
        cause = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
    raise InvalidInput(
        f"The defaults in {path} cannot be used", cause=cause, fix="Correct the file that ANNOTARIUM_DEFAULTS names"
    )


def _read_toml_tables(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
