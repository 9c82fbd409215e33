"""Settings: one place, read from `ANNOTARIUM_*` environment variables (and REDIS_URL, OPENSEARCH_URL, DATABASE_URL)."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    AliasChoices,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from annotarium.errors import InvalidInput
from annotarium.system.lanes import LANES, Lane
from annotarium.system.library_threads import MAX_THREADS
from annotarium.system.serve_options import API_PROCESSES, DATA, HOST, PORT, PREFIX, WORKERS

MEBIBYTE = 1024 * 1024
DATABASE_FILE = "annotarium.sqlite"
"""The file of the record in the data folder, where no DATABASE_URL says otherwise."""


def _networks(value: object) -> object:
    """Addresses and networks between commas."""
    if not isinstance(value, str):
        return value
    return [str(ip_network(one.strip())) for one in value.split(",") if one.strip()]


class Settings(BaseSettings):
    """Everything an operator can set. Names map to `ANNOTARIUM_<NAME>`; sizes are bytes, times are seconds."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="ignore", populate_by_name=True, hide_input_in_errors=True
    )

    host: str = HOST
    port: int = Field(default=PORT.default, ge=PORT.minimum, le=PORT.maximum)
    data: Path = Field(default=Path(DATA), description="The folder that holds everything that is kept.")
    workers: int = Field(
        default=WORKERS.default,
        ge=WORKERS.minimum,
        le=WORKERS.maximum,
        description="Short jobs that run at once; long and heavy ones have places of their own beside them.",
    )
    lanes: Annotated[list[Lane], NoDecode] = Field(
        default=list(LANES), min_length=1, description="Lanes of jobs that workers serve: `long,heavy`."
    )
    library_threads: int = Field(
        default=1,
        ge=1,
        le=MAX_THREADS,
        description="Threads of a library (BLAS, OpenMP, torch) in one calculation of a job; see `threads`.",
    )
    api_processes: int = Field(
        default=API_PROCESSES.default,
        ge=API_PROCESSES.minimum,
        le=API_PROCESSES.maximum,
        description="Processes that serve the API behind the one address.",
    )
    defaults: Path | None = Field(
        default=None, description="A TOML file of components to propose instead of those of `registry/defaults.toml`."
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

    smtp_host: str | None = Field(default=None, description="The server that takes e-mail; without one, none is sent.")
    smtp_port: int | None = Field(
        default=None, ge=1, le=65_535, description="By default 587 with STARTTLS, 465 with TLS, 25 without."
    )
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: str | None = None
    smtp_password: SecretStr | None = None
    smtp_password_file: Path | None = Field(default=None, description="A file that holds the password instead.")
    smtp_authority: Path | None = Field(
        default=None, description="Certificates of the authority that signed the mail server's, when it is your own."
    )
    mail_sender: str | None = Field(
        default=None,
        pattern=r"^[^\x00-\x1f\x7f@]+@[^\x00-\x1f\x7f@\s]+$",
        description="Whom messages come from: `annotarium@example.org` or `Annotarium <annotarium@example.org>`.",
    )
    public_address: str | None = Field(
        default=None, pattern=r"^https?://\S+$", description="Address of the studio, for the links in messages."
    )

    trusted_proxies: Annotated[list[str], NoDecode, BeforeValidator(_networks)] = Field(
        default=[],
        description="Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.",
    )
    header_seconds: float = Field(default=30, gt=0, description="For the headers of a request, in all.")
    body_seconds: float = Field(default=30, gt=0, description="For a request body, without a byte of it.")
    answer_seconds: float = Field(default=60, gt=0, description="For an answer, without the client taking any of it.")
    connections_per_address: int = Field(
        default=1_000, ge=1, description="Open at the same time, for each API process; trusted proxies may have more."
    )

    upload_limit: int = Field(default=4096 * MEBIBYTE, description="Bytes per uploaded file (C-047).")
    body_limit: int = Field(
        default=64 * MEBIBYTE, description="Bytes of a request body that is no file; most routes take less."
    )
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
        default=5, ge=1, description="Wrong passwords for an account from an address before each further one waits."
    )
    sign_in_attempts_per_address: int = Field(
        default=100, ge=1, description="Wrong passwords from an address in five minutes, for whatever accounts."
    )
    annotate_calls_per_minute: int = Field(
        default=60,
        ge=0,
        description="Requests a minute to annotate without storing, of an account that lacks the permission "
        "useProduction (P-022); 0 = as many as it likes.",
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
    entity_fishing: str | None = Field(
        default=None, pattern=r"^https?://\S+$", description="Address of an entity-fishing server, for its annotator."
    )
    spacy_pipelines: Path | None = Field(
        default=None, description="Folder whose folders are spaCy pipelines, beside those installed as packages."
    )
    foreign_model_memory: int = Field(
        default=4_096 * MEBIBYTE, description="Bytes of address space of a model that was trained elsewhere."
    )
    job_timeout: int = Field(default=86_400, description="Seconds a job may run.")
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] = "console"
    telemetry: bool = Field(default=False, description="Traces and metrics of the framework, for who collects them.")
    opens_in_debug: bool = Field(default=False, description="Debug mode of the studio (answers off by default, S-030).")

    @field_validator("lanes", mode="before")
    @classmethod
    def _lanes_apart(cls, given: object) -> object:
        return [lane.strip() for lane in given.split(",")] if isinstance(given, str) else given

    @model_validator(mode="after")
    def _mail_is_whole(self) -> Self:
        """What would only be noticed when the first message cannot be sent."""
        if self.smtp_host and not self.mail_sender:
            raise ValueError("ANNOTARIUM_SMTP_HOST needs ANNOTARIUM_MAIL_SENDER: whom do messages come from?")
        if self.smtp_user and self.smtp_security == "none":
            raise ValueError("ANNOTARIUM_SMTP_USER needs a server with TLS: its password would be sent in the open")
        return self

    @property
    def sends_mail(self) -> bool:
        """Whether people can be told by e-mail."""
        return bool(self.smtp_host)

    @property
    def sql_url(self) -> str:
        """SQLAlchemy address of the record."""
        return self.database_url or f"sqlite:///{self.data.resolve() / DATABASE_FILE}"

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
    """The settings of this process, read once.

    Raises:
        InvalidInput: a variable of the environment holds what cannot be used; the words are for who started us.
    """
    try:
        return Settings()
    except ValidationError as error:
        wrong = [(_environment_variable_name(item["loc"]), item["msg"]) for item in error.errors(include_input=False)]
        raise InvalidInput(
            "A setting cannot be used",
            cause="; ".join(f"{name}: {words}" if name else words for name, words in wrong),
            fix="Correct the variable in the environment, or take it away",
        ) from None


def _environment_variable_name(location: tuple[int | str, ...]) -> str:
    name = str(location[0]) if location else ""
    return PREFIX + name.upper() if name in Settings.model_fields else name
