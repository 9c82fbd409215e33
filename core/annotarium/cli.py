"""The command `annotarium`: handles plain `serve` calls without libraries; `server.commands` parses everything else."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def main() -> None:
    """Entry point of the command."""
    if sys.argv[1:2] == ["serve"]:
        from annotarium.system.serve_options import parse_serve_options

        found = parse_serve_options(sys.argv[2:], os.environ)
        if found is not None:
            from annotarium.server.supervisor import supervise

            plan, said = found
            os.environ.update(said)
            sys.exit(supervise(plan))
    from annotarium.server.commands import run

    build_command_line()
    run()


@cache
def build_command_line() -> typer.Typer:
    """All commands: those of the server, and those that need the whole application."""
    from annotarium.server.commands import app

    app.command("openapi")(_openapi)
    return app


def _openapi() -> None:
    """Print the OpenAPI description; starts nothing."""
    import orjson

    from annotarium.app import create_app

    print(orjson.dumps(create_app().openapi(), option=orjson.OPT_INDENT_2).decode())


if __name__ == "__main__":
    main()
