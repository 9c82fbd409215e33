"""`make mutation`: inserts small errors into a copy of the code and checks whether the tests detect them.

    python -m mutation                        everything of modules.toml, resumed where it was ended
    python -m mutation shares search/request  the areas or modules whose name contains one of these words
    python -m mutation --sample 40 --seed 7   40 mutants per module, drawn with a seed
    python -m mutation --wide                 what survives the near tests is tried with the wide ones
    python -m mutation --report               only the table and the survivors of what is known

Results: one file per module in RESULTS (default .mutation/), valid for one content of the module; survivors are tried
again when the tests have changed. The exit status is 1 when a module scores below 85 %.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mutation import running, targets_and_results

FLOOR = 0.85


def main() -> int:
    """Run, print the report and return the exit status."""
    parser = argparse.ArgumentParser(prog="make mutation", description="Mutation testing; see CONTRIBUTING.md")
    parser.add_argument("words", nargs="*", help="areas or modules whose name holds one of these words")
    parser.add_argument("--sample", type=int, help="mutants per module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--wide", action="store_true", help="try survivors with the wide tests as well")
    parser.add_argument("--results", type=Path, default=Path(".mutation"))
    parser.add_argument("--report", action="store_true", help="run nothing, print what is known")
    parser.add_argument("--survivors", action="store_true", help="with --report: the survivors only")
    given = parser.parse_args()
    targets = targets_and_results.targets(given.words)
    if not targets:
        parser.error("no area or module has such a name")
    draw = (given.sample, given.seed)
    if not given.report:
        running.run(targets, draw, given.results, given.jobs, given.wide)
    lines, worst = targets_and_results.report(targets, draw, given.results, with_table=not given.survivors)
    print("\n".join(lines))
    return 0 if worst >= FLOOR else 1


if __name__ == "__main__":
    sys.exit(main())
