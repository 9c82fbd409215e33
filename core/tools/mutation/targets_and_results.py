"""Reads the table of modules, the results of their mutants, and the mutants that were judged equivalent."""

from __future__ import annotations

import hashlib
import json
import random
import tomllib
from dataclasses import dataclass
from pathlib import Path

from mutation.mutants import Mutant, mutants_of

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CAUGHT = {"killed", "slow"}
Draw = tuple[int | None, int]


@dataclass(frozen=True)
class TargetModule:
    """One module with its tests."""

    area: str
    path: str
    near: tuple[str, ...]
    wide: tuple[str, ...]
    processes: bool

    @property
    def source(self) -> str:
        """Source text of the module in the checkout."""
        return (ROOT / self.path).read_text()

    @property
    def is_web(self) -> bool:
        """Whether the module is TypeScript of the web app."""
        return self.path.endswith(".ts")

    def file(self, results: Path) -> Path:
        """Return the results file for the current content of the module."""
        digest = hashlib.sha256(self.source.encode()).hexdigest()[:10]
        return results / f"{self.path.replace('/', '.')}-{digest}.jsonl"


def targets(words: list[str]) -> list[TargetModule]:
    """Return the modules of modules.toml, or those whose area or path contains one of the words."""
    areas = tomllib.loads((HERE / "modules.toml").read_text())["area"]
    found = [
        TargetModule(area["name"], path, tuple(near), tuple(area["wide"]), area.get("processes", False))
        for area in areas
        for path, near in area["modules"].items()
    ]
    return [target for target in found if not words or any(word in f"{target.area} {target.path}" for word in words)]


def all_mutants(target: TargetModule) -> list[Mutant]:
    """Return every mutant of the module."""
    if target.is_web:
        from mutation.web import mutants_of_web

        return mutants_of_web(target.path)
    return mutants_of(target.path, target.source)


def draw_mutants(target: TargetModule, draw: Draw) -> list[Mutant]:
    """Return the mutants to test: all, or a sample that is the same for one seed and one content of the module.

    Mutants outside functions, each of which needs a new import, are at most a tenth of a sample.
    """
    made = all_mutants(target)
    size, seed = draw
    if size is None or size >= len(made):
        return made
    draws = random.Random(f"{seed} {target.path}")
    slow = [at for at, mutant in enumerate(made) if not mutant.in_function]
    quick = [at for at, mutant in enumerate(made) if mutant.in_function]
    slow = draws.sample(slow, min(len(slow) * size // len(made), size // 10))
    return [made[at] for at in sorted([*slow, *draws.sample(quick, min(len(quick), size - len(slow)))])]


def read_results(file: Path) -> dict[str, dict[str, str]]:
    """Return results by name of the mutant; its last line is valid."""
    if not file.exists():
        return {}
    return {line["name"]: line for line in map(json.loads, file.read_text().splitlines())}


def equivalent_lines() -> list[str]:
    """Return the lines of `equivalents.txt`: key, module, function, `|`, reason."""
    lines = (HERE / "equivalents.txt").read_text().splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def equivalents() -> dict[str, str]:
    """Return by key the reasons why mutants are equivalent."""
    parted = (line.partition("|") for line in equivalent_lines())
    return {place.split()[0]: reason.strip() for place, _, reason in parted}


def report(targets: list[TargetModule], draw: Draw, results: Path, *, with_table: bool) -> tuple[list[str], float]:
    """Return the lines to print, and the lowest score of a module."""
    judged, rows, told, worst = equivalents(), [], [], 1.0
    met: set[str] = set()
    for target in targets:
        source, outcomes = target.source, read_results(target.file(results))
        counts = {"killed": 0, "survived": 0, "equivalent": 0, "open": 0}
        for mutant in draw_mutants(target, draw):
            outcome = outcomes.get(mutant.name, {}).get("outcome", "open")
            key = mutant.key(source)
            if key in judged:
                met.add(key)
            if outcome == "open":
                counts["open"] += 1
            elif outcome in CAUGHT:
                counts["killed"] += 1
            elif key in judged or mutant.is_quiet:
                counts["equivalent"] += 1
            else:
                counts["survived"] += 1
                reach = " (no test reaches it)" if outcome == "not reached" else ""
                told += [f"{key} {target.path}:{mutant.line} {mutant.operator}{reach}", mutant.difference(source), ""]
        total = counts["killed"] + counts["survived"]
        score = counts["killed"] / total if total else 1.0
        worst = min(worst, score)
        rows.append(
            f"{target.path:60} {sum(counts.values()) - counts['open']:7} {counts['killed']:6} {counts['survived']:8} "
            f"{counts['equivalent']:10} {counts['open']:7} {score:6.0%}"
        )
    head = f"{'module':60} {'mutants':>7} {'killed':>6} {'survived':>8} {'equivalent':>10} {'not run':>7} {'score':>6}"
    stale = []
    if draw[0] is None:
        paths = {target.path for target in targets}
        stale = [
            f"stale in equivalents.txt: {line}"
            for line in equivalent_lines()
            if line.split()[1] in paths and line.split()[0] not in met
        ]
    return [*told, *([head, *rows] if with_table else []), *stale], worst
