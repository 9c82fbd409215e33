"""Default components: `defaults.toml`, overridden by the administrator's file."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from annotarium.errors import InvalidInput
from annotarium.settings import get_settings

PRODUCT_FILE = Path(__file__).with_name("defaults.toml")


class DefaultComponent(BaseModel):
    """A component, by name."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field(min_length=1, max_length=255)


class ComponentDefaults(BaseModel):
    """One table of the file for each kind."""

    model_config = ConfigDict(extra="forbid")

    segmenter: DefaultComponent
    vectorizer: DefaultComponent


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
