"""The commands of `annotarium`. Options take precedence over environment variables."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from annotarium.files.private_files import FolderUnsafe, make_new_files_private, protect_data_folder_and_warn
from annotarium.system.lanes import LANES
from annotarium.system.serve_options import API_PROCESSES, HOST, PORT, WORKERS, IntegerOption

EngineName = Literal["embedded", "opensearch"]
AccessMode = Literal["read", "write", "chmod"]

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
users = typer.Typer(no_args_is_help=True, help="Accounts.")
keys = typer.Typer(no_args_is_help=True, help="API keys for programs, sent as X-Kairntech-key.")
index = typer.Typer(no_args_is_help=True, help="The search index.")
plugins = typer.Typer(no_args_is_help=True, help="Installed components.")
knowledge = typer.Typer(no_args_is_help=True, help="The knowledge base: the concepts behind terms.")
app.add_typer(users, name="users")
app.add_typer(keys, name="keys")
app.add_typer(knowledge, name="knowledge")
app.add_typer(index, name="index")
app.add_typer(plugins, name="plugins")

Data = Annotated[Path | None, typer.Option(help="Folder for all stored data.", show_default=False)]
Engine = Annotated[
    EngineName | None,
    typer.Option(
        help="The index of this engine instead of the one in use: embedded or opensearch.", show_default=False
    ),
]
Project = Annotated[str | None, typer.Option("--project", help="Only this project.", show_default=False)]


def run() -> None:
    """Parse the command line and run the command."""
    from annotarium.errors import AnnotariumError

    make_new_files_private()
    try:
        app()
    except AnnotariumError as error:
        sys.exit(error.one_line())
    except FolderUnsafe as error:
        sys.exit(str(error))


def _version(wanted: bool) -> None:
    if wanted:
        from annotarium import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def annotarium(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = (
        False
    ),
) -> None:
    """A studio in which teams turn documents into knowledge."""


def _number_option(number: IntegerOption, words: str) -> Any:
    return typer.Option(min=number.minimum, max=number.maximum, help=f"{words} [{number.default}].", show_default=False)


def _set_environment_variable(name: str, value: object) -> None:
    if value is not None:
        os.environ[f"ANNOTARIUM_{name}"] = str(value)


def _open_database(data: Path | None, *, own_folder: bool = True, must_exist: bool = True) -> None:
    """Prepare settings, logging and tables for a command that needs the database; creates it unless it `must_exist`."""
    _set_environment_variable("DATA", data)
    from annotarium.db.data_folder import claim_data_folder, require_database
    from annotarium.db.migrate import upgrade_database
    from annotarium.server.logs import configure_logging
    from annotarium.settings import get_settings

    os.environ.setdefault("ANNOTARIUM_LOG_LEVEL", "warning")
    configure_logging(process="cli")
    protect_data_folder_and_warn(get_settings().data)
    with _exit_on_error(1):
        if must_exist:
            require_database()
        upgrade_database()
        if own_folder:
            claim_data_folder()


def _open_index(data: Path | None, engine: EngineName | None) -> None:
    """Prepare a command that works on the index in use, or on the index of the given engine."""
    _set_environment_variable("SEARCH_ENGINE", engine)
    _open_database(data)
    from annotarium.search.shared_index import require_same_index, skip_index_check

    if engine is not None:
        skip_index_check()
    with _exit_on_error(1):
        require_same_index(software=False)


@contextmanager
def _exit_on_error(status: int) -> Iterator[None]:
    from annotarium.errors import AnnotariumError

    try:
        yield
    except AnnotariumError as error:
        print(error.one_line(), file=sys.stderr)
        raise typer.Exit(status) from error


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help=f"Address to listen on [{HOST}].", show_default=False)] = None,
    port: Annotated[int | None, _number_option(PORT, "Port")] = None,
    data: Data = None,
    workers: Annotated[int | None, _number_option(WORKERS, "Short jobs running at the same time")] = None,
    api_processes: Annotated[int | None, _number_option(API_PROCESSES, "Processes that serve the API")] = None,
) -> None:
    """Run everything on this machine: web app, API, queue and workers."""
    given = {"HOST": host, "PORT": port, "DATA": data, "WORKERS": workers, "API_PROCESSES": api_processes}
    for name, value in given.items():
        _set_environment_variable(name, value)
    from annotarium.registry.defaults import component_defaults
    from annotarium.settings import get_settings

    settings = get_settings()
    component_defaults()  # reports an invalid file here and not at its first use
    command = [sys.executable, "-m", "annotarium.server.supervisor"]
    command += ["--host", settings.host, "--port", str(settings.port)]
    command += ["--data", str(settings.data), "--workers", str(settings.workers)]
    # The supervisor replaces this process: it needs far less memory than parsing the options did.
    os.execv(sys.executable, command)


@app.command()
def worker(
    data: Data = None,
    workers: Annotated[int | None, _number_option(WORKERS, "Short jobs running at the same time")] = None,
    lanes: Annotated[
        str | None,
        typer.Option(help=f"Lanes to serve, separated by commas: {','.join(LANES)} [all].", show_default=False),
    ] = None,
) -> None:
    """Run an additional job worker; REDIS_URL is the address of the queue."""
    for name, value in {"DATA": data, "WORKERS": workers, "LANES": lanes}.items():
        _set_environment_variable(name, value)
    from annotarium.server.launch import run_worker
    from annotarium.settings import get_settings

    if not get_settings().redis_url:
        print("Set REDIS_URL to the queue that this worker is to serve", file=sys.stderr)
        raise typer.Exit(1)
    protect_data_folder_and_warn(get_settings().data)
    with _exit_on_error(1):
        run_worker(None)


@app.command()
def adopt(data: Data = None) -> None:
    """Make a folder the data folder of DATABASE_URL if the former one is lost; the search index is rebuilt."""
    _open_database(data, own_folder=False, must_exist=False)
    from annotarium.db.data_folder import adopt_data_folder
    from annotarium.search.index_migration import reindex_all
    from annotarium.settings import get_settings

    settings = get_settings()
    if settings.database_url is None:
        print("Without DATABASE_URL the database is in the data folder: there is nothing to adopt", file=sys.stderr)
        raise typer.Exit(1)
    adopt_data_folder()
    projects = reindex_all()
    print(f"{settings.data.resolve()} is now the data folder. {projects} projects will be indexed when the server runs")


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(help="A new folder; it can be used as a data folder.")], data: Data = None
) -> None:
    """Copy all stored data, also while the server runs. Back up a database server with its own tools."""
    _open_database(data)
    from annotarium.db.backup import back_up

    with _exit_on_error(1):
        copied = back_up(target)
    what = "the database and " if copied.database else ""
    print(f"{what}{copied.files} files, {copied.size / 1e6:,.1f} MB copied to {target.resolve()}")
    if not copied.database:
        print(
            "The database is not included: back it up first, with its own tools (pg_dump), so that no file is missing"
        )


@users.command("set-password")
def set_password(
    name: str,
    password: Annotated[
        str,
        typer.Option(prompt=True, hide_input=True, confirmation_prompt=True, help="Prompted for if missing."),
    ],
    keep_keys: Annotated[bool, typer.Option("--keep-keys", help="Do not revoke the account's API keys.")] = False,
    data: Data = None,
) -> None:
    """Set a new password for an account, end its sign-ins and revoke its API keys."""
    _open_database(data)
    from annotarium.domains.auth import operator_accounts
    from annotarium.domains.auth import operator_api_keys as key_service

    with _exit_on_error(1):
        revoked = operator_accounts.set_password(name, password, keep_keys=keep_keys)
        left = len(key_service.all_keys(name))
    print(f"The password of {name} is changed")
    if revoked:
        print(f"{revoked} API keys of the account are revoked")
    if left:
        print(f"{left} API keys of the account still count: annotarium keys list {name}")


@keys.command("create")
def create_key(
    user: Annotated[str, typer.Argument(help="The account that the key belongs to.")],
    label: Annotated[str, typer.Option(help="What the key is for.")],
    projects: Annotated[
        str | None, typer.Option(help="Only projects with these names: a regular expression.", show_default=False)
    ] = None,
    mode: Annotated[
        AccessMode | None,
        typer.Option(
            help="The most the key may do with projects: read, write (change), chmod (share).", show_default=False
        ),
    ] = None,
    annotate_only: Annotated[bool, typer.Option("--annotate-only", help="The key may only annotate texts.")] = False,
    no_permissions: Annotated[
        bool,
        typer.Option(
            "--no-permissions", help="No permissions: only projects that the account owns or that are shared with it."
        ),
    ] = False,
    permission: Annotated[
        list[str] | None, typer.Option(help="Only this permission; can be repeated.", show_default=False)
    ] = None,
    expires: Annotated[
        str | None, typer.Option(help="How long the key is valid: 90 days, 12 hours [unlimited].", show_default=False)
    ] = None,
    data: Data = None,
) -> None:
    """Create an API key and print it, only this once. Without restrictions it may do whatever its account may."""
    _open_database(data)
    from annotarium.access.api_keys import LONGEST_MS
    from annotarium.access.restriction import make_restriction
    from annotarium.db.identifiers import now_ms
    from annotarium.domains.auth import operator_api_keys as key_service
    from annotarium.domains.auth.durations import parse_duration

    with _exit_on_error(1):
        restriction = make_restriction(
            project_filter=projects,
            access_mode=mode,
            annotate_only=annotate_only,
            no_permissions=no_permissions,
            permissions=permission or None,
        )
        seconds = parse_duration(expires, LONGEST_MS // 1000 - 1) if expires else None
        print(key_service.create_key(user, label, restriction, now_ms() + seconds * 1000 if seconds else None))


@keys.command("list")
def list_keys(
    user: Annotated[str | None, typer.Argument(help="Only keys of this account.", show_default=False)] = None,
    data: Data = None,
) -> None:
    """List numbers, names, restrictions and last use of API keys; never the keys themselves."""
    _open_database(data)
    from annotarium.db.timestamps import iso
    from annotarium.domains.auth import operator_api_keys as key_service

    with _exit_on_error(1):
        found = key_service.all_keys(user)
    for one in found:
        key = one.key
        print(f"{key.id}  {one.username}  {key.label}")
        print(f"    may do: {key.restriction or 'everything its account may'}")
        used, end = iso(key.last_used_at) or "never", iso(key.expires_at) or "never"
        print(f"    created {iso(key.created_at)} by {key.created_by}, last used {used}, expires {end}")


@keys.command("revoke")
def revoke_key(
    number: Annotated[str, typer.Argument(help="The number of the key, see `keys list`.")], data: Data = None
) -> None:
    """Revoke an API key immediately, also while the server runs."""
    _open_database(data)
    from annotarium.domains.auth import operator_api_keys as key_service

    with _exit_on_error(1):
        one = key_service.revoke_key_by_id(number)
    print(f"The key {one.key.label} of {one.username} is revoked")


@index.command("rebuild")
def rebuild_index(project: Project = None, data: Data = None, engine: Engine = None) -> None:
    """Rebuild the search index from the database."""
    _open_index(data, engine)
    from annotarium.search.indexer import rebuild

    with _exit_on_error(1):
        done = rebuild(project)
    if project is not None and not done:
        print(f"There is no project {project}", file=sys.stderr)
        raise typer.Exit(1)
    for name, documents in done.items():
        print(f"{name}: {documents} documents indexed")


@index.command("verify")
def verify_index(
    project: Project = None,
    data: Data = None,
    engine: Engine = None,
    repair: Annotated[bool, typer.Option("--repair", help="Reindex documents and terms that differ.")] = False,
) -> None:
    """Compare the search index with the database; exit status 1 if they differ."""
    _open_index(data, engine)
    from annotarium.search.index_verification import is_consistent, verify

    with _exit_on_error(2):
        found = verify(project, repair=repair)
    if project is not None and not found:
        print(f"There is no project {project}", file=sys.stderr)
        raise typer.Exit(1)
    wrong = 0
    for name, facts in found.items():
        wrong += not is_consistent(facts)
        verdict = "agrees" if is_consistent(facts) else "differs, run annotarium index verify --repair"
        wrong_items = facts["wrong"] + facts["wrong_terms"]
        verdict = f"{wrong_items} wrong: {verdict}" if wrong_items else verdict
        terms = f", {facts['terms']} terms, {facts['indexed_terms']} indexed" if facts["terms"] else ""
        vectors = f", {facts['without_vectors']} without vectors" if facts["without_vectors"] else ""
        print(
            f"{name}: {facts['documents']} documents, {facts['indexed']} indexed{terms},"
            f" {facts['waiting']} waiting{vectors}:"
            f" {verdict}"
        )
    raise typer.Exit(1 if wrong else 0)


@knowledge.command("load")
def load_knowledge(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="A file with one JSON object per line and concept.")
    ],
    replace: Annotated[bool, typer.Option("--replace", help="Delete all existing concepts first.")] = False,
    data: Data = None,
) -> None:
    """Load concepts that terms of annotations refer to: names, definitions, statements, pictures."""
    _open_database(data, must_exist=False)
    from annotarium.domains.knowledge.service import load_concepts

    for sentence in load_concepts(file, replace=replace):
        print(sentence)


@plugins.command("list")
def list_plugins(
    kind: Annotated[str | None, typer.Option(help="Only this kind.", show_default=False)] = None,
    broken: Annotated[bool, typer.Option("--broken", help="Only components that do not work.")] = False,
) -> None:
    """List installed components, their packages, and whether they work."""
    from annotarium.registry.component_report import list_component_rows
    from annotarium.server.logs import configure_logging
    from annotarium_plugins.kinds import KIND_BY_NAME

    configure_logging(process="cli")
    logging.getLogger().setLevel(logging.ERROR)  # the last column says what does not work, and why

    if kind is not None and kind not in KIND_BY_NAME:
        print(f"There is no kind {kind}. Kinds: {', '.join(KIND_BY_NAME)}", file=sys.stderr)
        raise typer.Exit(1)
    for row in list_component_rows():
        if (kind is not None and row["kind"] != kind) or (broken and row["state"] != "unavailable"):
            continue
        reason = f": {row['reason']}" if row["reason"] else ""
        print(f"{row['kind']:<20} {row['name']:<28} {row['distribution']} {row['version']}  {row['state']}{reason}")


@plugins.command("check")
def check_plugins(
    package: Annotated[str | None, typer.Argument(help="Name of an installed package [all].")] = None,
) -> None:
    """Load and build components in a separate process; exit status 1 if one does not work."""
    from annotarium.registry.component_report import check_components, list_component_packages

    if package is not None and package not in list_component_packages():
        print(
            f"No package {package} with components is installed. "
            f"Installed packages: {', '.join(list_component_packages())}",
            file=sys.stderr,
        )
        raise typer.Exit(1)
    findings = check_components(package)
    for found in findings:
        print(f"{found.level:<8} {found.distribution}: {found.kind} {found.name}: {found.message}")
    errors = sum(found.level == "error" for found in findings)
    print(f"{errors} errors, {len(findings) - errors} warnings")
    raise typer.Exit(1 if errors else 0)
