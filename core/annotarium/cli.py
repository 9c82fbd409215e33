"""The command `annotarium`: serves at once when told so plainly; whatever else is read by `commands`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Entry of the command."""
    if sys.argv[1:2] == ["serve"]:
        from annotarium.system.serve_options import parse_serve_options

        found = parse_serve_options(sys.argv[2:], os.environ)
        if found is not None:
            from annotarium.server.supervisor import supervise

            plan, said = found
            os.environ.update(said)
            sys.exit(supervise(plan))
    from annotarium.server.commands import run

    run()


if __name__ == "__main__":
    main()
