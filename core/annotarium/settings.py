"""Settings: one place, read from `ANNOTARIUM_*` environment variables (and REDIS_URL, OPENSEARCH_URL, DATABASE_URL)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from annotarium.starting import API_PROCESSES, DATA, HOST, PORT, PREFIX, WORKERS

MEBIBYTE = 1024 * 1024


class Settings(BaseSettings):
    """Everything an operator can set. Names map to `ANNOTARIUM_<NAME>`; sizes are bytes, times are seconds."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", populate_by_name=True)

    host: str = HOST
    port: int = Field(default=PORT.default, ge=PORT.least, le=PORT.most)
    data: Path = Field(default=Path(DATA), description="The folder that holds everything that is kept.")
    workers: int = Field(default=WORKERS.default, ge=WORKERS.least, le=WORKERS.most)
    api_processes: int = Field(
        default=API_PROCESSES.default,
        ge=API_PROCESSES.least,
        le=API_PROCESSES.most,
        description="Processes that serve the API behind the one address.",
    )
    admin_password: SecretStr | None = Field(
        default=None, description="Password of the first administrator at first start."
    )

    database_url: str | None = Field(
        default=None, validation_alias=AliasChoices("ANNOTARIUM_DATABASE_URL", "DATABASE_URL")
    )
    redis_url: str | None = Field(default=None, validation_alias=AliasChoices("ANNOTARIUM_REDIS_URL", "REDIS_URL"))
    opensearch_url: str | None = Field(
        default=None, validation_alias=AliasChoices("ANNOTARIUM_OPENSEARCH_URL", "OPENSEARCH_URL")
    )
    opensearch_authority: Path | None = Field(
        default=None, description="Certificates of the authority that signed the search server's, when it is your own."
    )
    opensearch_prefix: str = Field(
        default="annotarium",
        pattern=r"^[a-z0-9][a-z0-9_-]{0,40}$",
        description="What names of indexes begin with; installations that share a search server need different ones.",
    )
    search_engine: Literal["embedded", "opensearch"] | None = Field(
        default=None, description="Where the search index is; by default opensearch when its address is given."
    )

    upload_limit: int = Field(default=4096 * MEBIBYTE, description="Bytes per uploaded file (C-047).")
    body_limit: int = Field(default=64 * MEBIBYTE, description="Bytes of a JSON body.")
    image_limit: int = Field(default=4 * MEBIBYTE, description="Bytes of a project or theme image (C-048, C-049).")
    upload_ttl: int = Field(default=86_400, description="Seconds an upload that no import used is kept.")
    export_ttl: int = Field(default=7 * 86_400, description="Seconds the file of an export job is kept.")
    document_limit: int = Field(default=64 * MEBIBYTE, description="Bytes of text of one document.")
    archive_entries: int = 200_000
    archive_bytes: int = 16_384 * MEBIBYTE
    archive_ratio: int = 200

    session_minutes: int = Field(default=480, ge=0, description="Sign-in session length; 0 = no expiry (C-001).")
    password_min_length: int = Field(default=8, ge=1, description="C-042.")
    sign_in_attempts: int = Field(
        default=10, description="Wrong passwords per account and per address each five minutes."
    )
    max_labels_count: int = Field(default=100, description="C-029.")
    air_gapped: bool = False
    sso: bool = False
    logout_redirect_url: str | None = None
    document_level_access: bool = Field(default=False, description="Documents may belong to an originating group.")
    document_level_access_warning: bool = Field(
        default=True, description="The studio says so where files are imported."
    )
    ai_usage_warning: bool = Field(default=False, description="The studio says that what models propose may be wrong.")
    user_feedbacks: bool = Field(default=False, description="The studio asks its users to tell what they think of it.")
    corporation: str | None = Field(default=None, description="Whose installation this is; the studio names it.")
    back_button: str | None = Field(
        default=None,
        pattern=r"^(https?://|/)\S+$",
        description="Address of the page the studio's back button leads to.",
    )
    disabled_components: list[str] = Field(default=[], description="`kind:name` entries the registry does not offer.")
    job_timeout: int = Field(default=86_400, description="Seconds a job may run.")
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] = "console"
    telemetry: bool = Field(default=False, description="Traces and metrics of the framework, for who collects them.")
    opens_in_debug: bool = Field(default=False, description="Debug mode of the studio (answers off by default, S-030).")

    @property
    def sql_url(self) -> str:
        """SQLAlchemy address of the record."""
        return self.database_url or f"sqlite:///{self.data.resolve() / 'annotarium.sqlite'}"

    @property
    def engine_name(self) -> Literal["embedded", "opensearch"]:
        """The search engine in use."""
        return self.search_engine or ("opensearch" if self.opensearch_url else "embedded")

    @property
    def uploads_folder(self) -> Path:
        """Where uploads are kept, under names of ours."""
        return self.data / "uploads"

    @property
    def index_folder(self) -> Path:
        """Root of the embedded search index files."""
        return self.data / "index"

    @property
    def models_folder(self) -> Path:
        """Root of trained models, one folder per project and model."""
        return self.data / "models"

    @property
    def images_folder(self) -> Path:
        """Project images."""
        return self.data / "images"

    @property
    def exports_folder(self) -> Path:
        """Files of export jobs, kept for some days."""
        return self.data / "exports"

    @property
    def run_folder(self) -> Path:
        """Sockets, locks and logs of the running parts."""
        return self.data / "run"


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """The settings of this process, read once."""
    return Settings()
