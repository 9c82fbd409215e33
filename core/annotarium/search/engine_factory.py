"""Creates the search engine of an installation. The only module that imports the implementations.

They are imported when they are needed, because their libraries (NumPy, the OpenSearch client) take memory in every
process.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from annotarium.errors import ServiceUnavailable
from annotarium.search.engine import SearchEngine
from annotarium.settings import Settings, get_settings
from annotarium_schemas.messages import message


@lru_cache(maxsize=1)
def get_search_engine() -> SearchEngine:
    """Return the search engine of this process."""
    return open_search_engine(get_settings())


def open_search_engine(settings: Settings) -> SearchEngine:
    """Create the search engine that the settings name. A search server is first contacted by a search, not here.

    Raises:
        ServiceUnavailable: OpenSearch is chosen, but its address or its client is missing.
    """
    if settings.engine_name != "opensearch":
        from annotarium.search.embedded.engine import EmbeddedEngine

        return EmbeddedEngine(settings.index_folder)
    if not settings.opensearch_url:
        raise ServiceUnavailable(
            message("search.noServer", "No search server is configured"), fix="Give its address in OPENSEARCH_URL"
        )
    try:
        from annotarium.search.opensearch.engine import OpenSearchEngine
    except ModuleNotFoundError as error:
        raise ServiceUnavailable(
            "The client of OpenSearch is not installed", cause=str(error), fix="pip install annotarium[opensearch]"
        ) from error
    return OpenSearchEngine(settings)


def open_temporary_engine(folder: Path) -> SearchEngine:
    """Create an engine on files in a folder of the caller, whatever engine the installation has."""
    from annotarium.search.embedded.engine import EmbeddedEngine

    return EmbeddedEngine(folder)


def has_index_files(settings: Settings, project_id: int) -> bool:
    """Return whether the embedded engine has files for a project's documents."""
    from annotarium.search.embedded.files import IndexFiles

    return bool(IndexFiles(settings.index_folder, str(project_id), "documents").generations())
