"""Settings, read from `ANNOTARIUM_*` environment variables (and REDIS_URL, OPENSEARCH_URL, DATABASE_URL)."""

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
"""The SQLite file in the data folder, unless DATABASE_URL is set."""


def _networks(value: object) -> object:
    """Parse addresses and networks separated by commas."""
    if not isinstance(value, str):
        return value
    return [str(ip_network(one.strip())) for one in value.split(",") if one.strip()]


class Settings(BaseSettings):
    """Everything an operator can set. Names map to `ANNOTARIUM_<NAME>`; sizes are in bytes, times in seconds."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="ignore", populate_by_name=True, hide_input_in_errors=True
    )

    host: str = HOST
    port: int = Field(default=PORT.default, ge=PORT.minimum, le=PORT.maximum)
    data: Path = Field(default=Path(DATA), description="The folder for all stored data.")
    workers: int = Field(
        default=WORKERS.default,
        ge=WORKERS.minimum,
        le=WORKERS.maximum,
        description="Short jobs that run at the same time; long and heavy ones have additional slots of their own.",
    )
    lanes: Annotated[list[Lane], NoDecode] = Field(
        default=list(LANES), min_length=1, description="Lanes of jobs that workers serve: `long,heavy`."
    )
    library_threads: int = Field(
        default=1,
        ge=1,
        le=MAX_THREADS,
        description="Threads per library (BLAS, OpenMP, torch) in one calculation; see `system.library_threads`.",
    )
    api_processes: int = Field(
        default=API_PROCESSES.default,
        ge=API_PROCESSES.minimum,
        le=API_PROCESSES.maximum,
        description="Processes that serve the API on one address.",
    )
    defaults: Path | None = Field(
        default=None, description="A TOML file of default components that overrides `registry/defaults.toml`."
    )
    admin_password: SecretStr | None = Field(
        default=None, description="Password of the first administrator, used at the first start."
    )

    database_url: str | None = Field(
        default=None, validation_alias=AliasChoices("ANNOTARIUM_DATABASE_URL", "DATABASE_URL")
    )
    redis_url: str | None = Field(default=None, validation_alias=AliasChoices("ANNOTARIUM_REDIS_URL", "REDIS_URL"))
    opensearch_url: str | None = Field(
        default=None, validation_alias=AliasChoices("ANNOTARIUM_OPENSEARCH_URL", "OPENSEARCH_URL")
    )
    opensearch_authority: Path | None = Field(
        default=None, description="Certificates of a private authority that signed the search server's certificate."
    )
    opensearch_prefix: str = Field(
        default="annotarium",
        pattern=r"^[a-z0-9][a-z0-9_-]{0,40}$",
        description="Prefix of index names; installations that share a search server need different ones.",
    )
    search_engine: Literal["embedded", "opensearch"] | None = Field(
        default=None, description="Where the search index is stored; by default opensearch if its address is set."
    )

    smtp_host: str | None = Field(default=None, description="The mail server; without one, no e-mail is sent.")
    smtp_port: int | None = Field(
        default=None, ge=1, le=65_535, description="By default 587 with STARTTLS, 465 with TLS, 25 without."
    )
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: str | None = None
    smtp_password: SecretStr | None = None
    smtp_password_file: Path | None = Field(default=None, description="A file that contains the password instead.")
    smtp_authority: Path | None = Field(
        default=None, description="Certificates of a private authority that signed the mail server's certificate."
    )
    mail_sender: str | None = Field(
        default=None,
        pattern=r"^[^\x00-\x1f\x7f@]+@[^\x00-\x1f\x7f@\s]+$",
        description="Sender of messages: `annotarium@example.org` or `Annotarium <annotarium@example.org>`.",
    )
    public_address: str | None = Field(
        default=None, pattern=r"^https?://\S+$", description="Public address of the web app, for links in messages."
    )

    trusted_proxies: Annotated[list[str], NoDecode, BeforeValidator(_networks)] = Field(
        default=[],
        description="Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.",
    )
    header_seconds: float = Field(default=30, gt=0, description="Total time for the headers of a request.")
    body_seconds: float = Field(default=30, gt=0, description="Time without receiving a byte of a request body.")
    answer_seconds: float = Field(default=60, gt=0, description="Time without the client reading a byte of a response.")
    connections_per_address: int = Field(
        default=1_000, ge=1, description="Open connections per address and API process; trusted proxies may have more."
    )

    upload_limit: int = Field(default=4096 * MEBIBYTE, description="Bytes per uploaded file (C-047).")
    body_limit: int = Field(
        default=64 * MEBIBYTE, description="Bytes of a request body that is not a file; most routes allow less."
    )
    image_limit: int = Field(default=4 * MEBIBYTE, description="Bytes of a project or theme image (C-048, C-049).")
    upload_ttl: int = Field(
        default=86_400, description="Seconds for which an upload not used by an import is retained."
    )
    export_ttl: int = Field(default=7 * 86_400, description="Seconds for which the file of an export job is retained.")
    document_limit: int = Field(default=64 * MEBIBYTE, description="Bytes of text of one document.")
    archive_entries: int = 200_000
    archive_bytes: int = 16_384 * MEBIBYTE
    archive_ratio: int = 200

    session_minutes: int = Field(default=480, ge=0, description="Sign-in session length; 0 = no expiry (C-001).")
    password_min_length: int = Field(default=8, ge=1, description="C-042.")
    sign_in_attempts: int = Field(
        default=5, ge=1, description="Wrong passwords per account and address before each further attempt must wait."
    )
    sign_in_attempts_per_address: int = Field(
        default=100, ge=1, description="Wrong passwords per address within five minutes, for any accounts."
    )
    annotate_calls_per_minute: int = Field(
        default=60,
        ge=0,
        description="Requests per minute that annotate without storing, for an account without the permission "
        "useProduction (P-022); 0 = unlimited.",
    )
    max_labels_count: int = Field(default=100, description="C-029.")
    air_gapped: bool = False
    sso: bool = False
    logout_redirect_url: str | None = None
    document_level_access: bool = Field(
        default=False, description="Documents with an origin group are visible only to its members."
    )
    document_level_access_warning: bool = Field(
        default=True, description="The web app mentions this where files are imported."
    )
    ai_usage_warning: bool = Field(
        default=False, description="The web app warns that suggestions of models may be wrong."
    )
    user_feedbacks: bool = Field(default=False, description="The web app asks users for feedback.")
    corporation: str | None = Field(default=None, description="Name of the organisation, displayed in the web app.")
    back_button: str | None = Field(
        default=None,
        pattern=r"^(https?://|/)\S+$",
        description="Address of the page that the web app's back button opens.",
    )
    disabled_components: list[str] = Field(default=[], description="Components (`kind:name`) that cannot be used.")
    language_model: str | None = Field(
        default=None,
        pattern=r"^https?://\S+$",
        description="Address of a server with the OpenAI interface, used by the answerer with a language model.",
    )
    language_model_key: SecretStr | None = Field(default=None, description="Key for the language model's server.")
    language_model_name: str | None = Field(default=None, description="Name of the language model.")
    language_model_prices: str | None = Field(
        default=None, description="Prices of a million tokens of the question and of the answer: `0.15,0.60`."
    )
    entity_fishing: str | None = Field(
        default=None,
        pattern=r"^https?://\S+$",
        description="Address of an entity-fishing server, used by its annotator and its suggester.",
    )
    knowledge_host: str | None = Field(
        default=None,
        pattern=r"^https?://\S+$",
        description="Address of a server with /service/kb/concept, used for concepts that are not known here; "
        "never in air-gapped mode.",
    )
    spacy_pipelines: Path | None = Field(
        default=None, description="Folder of spaCy pipelines, in addition to those installed as packages."
    )
    encoders: str | None = Field(
        default=None,
        description="Pretrained encoders that may be fine-tuned, separated by commas: folders and hub ids.",
    )
    encoder_downloads: bool = Field(
        default=False, description="Encoders named by hub ids may be downloaded; never in air-gapped mode."
    )
    foreign_model_memory: int = Field(
        default=4_096 * MEBIBYTE, description="Bytes of address space for a model trained elsewhere."
    )
    job_timeout: int = Field(default=86_400, description="Seconds a job may run.")
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] = "console"
    telemetry: bool = Field(default=False, description="Enables traces, metrics and logs of the framework.")
    opens_in_debug: bool = Field(
        default=False, description="Debug mode of the web app (answers off by default, S-030)."
    )

    @field_validator("lanes", mode="before")
    @classmethod
    def _lanes_apart(cls, given: object) -> object:
        return [lane.strip() for lane in given.split(",")] if isinstance(given, str) else given

    @model_validator(mode="after")
    def _mail_is_whole(self) -> Self:
        """Detect errors that would otherwise only be noticed when the first message cannot be sent."""
        if self.smtp_host and not self.mail_sender:
            raise ValueError("ANNOTARIUM_SMTP_HOST needs ANNOTARIUM_MAIL_SENDER, the sender of messages")
        if self.smtp_user and self.smtp_security == "none":
            raise ValueError("ANNOTARIUM_SMTP_USER needs a server with TLS, or the password would be sent unencrypted")
        return self

    @property
    def sends_mail(self) -> bool:
        """Whether notifications can be sent by e-mail."""
        return bool(self.smtp_host)

    @property
    def sql_url(self) -> str:
        """SQLAlchemy URL of the database."""
        return self.database_url or f"sqlite:///{self.data.resolve() / DATABASE_FILE}"

    @property
    def engine_name(self) -> Literal["embedded", "opensearch"]:
        """The search engine in use."""
        return self.search_engine or ("opensearch" if self.opensearch_url else "embedded")

    @property
    def uploads_folder(self) -> Path:
        """Folder of uploaded files, stored under generated names."""
        return self.data / "uploads"

    @property
    def index_folder(self) -> Path:
        """Root of the embedded search index."""
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
        """Result files of export jobs, retained for some days."""
        return self.data / "exports"

    @property
    def run_folder(self) -> Path:
        """Sockets, locks and logs of the running processes."""
        return self.data / "run"


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """The settings of this process, read once.

    Raises:
        InvalidInput: an environment variable has an invalid value; the text is for the operator.
    """
    try:
        return Settings()
    except ValidationError as error:
        wrong = [(_environment_variable_name(item["loc"]), item["msg"]) for item in error.errors(include_input=False)]
        raise InvalidInput(
            "A setting cannot be used",
            cause="; ".join(f"{name}: {words}" if name else words for name, words in wrong),
            fix="Correct or unset the environment variable",
        ) from None


def _environment_variable_name(location: tuple[int | str, ...]) -> str:
    name = str(location[0]) if location else ""
    return PREFIX + name.upper() if name in Settings.model_fields else name
