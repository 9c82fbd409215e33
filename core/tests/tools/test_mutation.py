"""`make mutation`: what is mutated, what is not, how a mutant is named, how loaded functions are replaced."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest
from mutation import targets_and_results
from mutation.mutants import Mutant, mutants_of
from mutation.swap_functions import CannotSwap, LoadedFunctions

SOURCE = '''"""Words == of the module."""
from __future__ import annotations
import structlog
log = structlog.get_logger()
LIMIT = 100
OPEN = True

def first(items: list[int], *, most: int = 3) -> list[int]:
    """Words < more words."""
    log.info("first", count=len(items) + 1)
    found = [item for item in items if item > 0]
    if not items and most == 2:
        raise ValueError("a" + "b")
    return found[:most]

class Held:
    value = 1 == 1

    def second(self) -> bool:
        check(self.value,
              often=True)
        return (
            self.value
            and OPEN
        )
'''


def changes(source: str = SOURCE) -> set[str]:
    return {"\n".join(one.difference(source).splitlines()[1:]) for one in mutants_of("m.py", source)}


def test_every_mutant_compiles_and_keeps_its_line_count() -> None:
    made = mutants_of("m.py", SOURCE)
    assert len({one.name for one in made}) == len({one.key(SOURCE) for one in made}) == len(made) > 20
    for mutant in made:
        changed = mutant.apply(SOURCE)
        compile(changed, "m.py", "exec")
        assert changed.count("\n") == SOURCE.count("\n")
        assert mutant.difference(SOURCE)


def test_typical_programming_errors_are_among_the_mutants() -> None:
    lines = " ".join(changes())
    for fault in (
        "if item >= 0",
        "if item <= 0",
        "if True]",
        "items or most == 2",
        "((most == 2))",
        "(items) and",
        "most != 2",
        "pass",
        "return None",
        "value = 1 != 1",
        "OPEN = False",
    ):
        assert fault in lines, fault


def test_docstrings_and_log_lines_are_not_mutated() -> None:
    for mutant in mutants_of("m.py", SOURCE):
        assert mutant.line not in (1, 2, 3, 10), mutant
        assert not mutant.difference(SOURCE).startswith('-    """')
    limits = [one for one in mutants_of("m.py", SOURCE) if one.line == 5]
    assert [one.is_quiet for one in limits] == [True]


def test_a_key_identifies_one_change_in_one_version_of_a_function() -> None:
    """A mutant judged equivalent is judged again if its function changes, but not if another one does."""
    twice = (
        "def f(a):\n    if a:\n        return False\n    if not a:\n        return False\n\n\ndef g(a):\n    return a\n"
    )

    def keys(source: str) -> list[str]:
        return [one.key(source) for one in mutants_of("m.py", source) if one.operator == "change value"]

    assert len(set(keys(twice))) == len(keys(twice)) == 2
    assert keys(twice.replace("return a\n", "return a + 'x'\n")) == keys(twice)
    assert keys("\n\n" + twice) == keys(twice)
    assert not set(keys(twice.replace("if a:", "if a :"))) & set(keys(twice))


@pytest.fixture
def module(tmp_path: Path) -> Any:
    file = tmp_path / "mutated_module.py"
    file.write_text(
        "def plain(a):\n    return a > 0\n\n"
        "def outer(b):\n    def inner(a):\n        return a + b\n    return inner\n\n"
        "made = outer(2)\n\n"
        "class Held:\n    def second(self):\n        return [one for one in (1, 2) if one > 1]\n"
    )
    spec = importlib.util.spec_from_file_location("mutated_module", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutated_module"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["mutated_module"]


def loaded(module: Any) -> LoadedFunctions:
    return LoadedFunctions(module.__file__, Path(module.__file__).read_text())


def test_loaded_functions_are_replaced_wherever_they_are_referenced(module: Any) -> None:
    held, found = module.plain, loaded(module)
    found.swap(found.source.replace("a > 0", "a < 0").replace("a + b", "a - b").replace("if one > 1", "if True"))
    assert (held(-1), module.made(5), module.Held().second()) == (True, 3, [1, 2])
    found.swap(found.source)
    assert (held(-1), module.made(5), module.Held().second()) == (False, 7, [2])


def test_a_change_that_requires_a_new_import_is_detected(module: Any) -> None:
    found = loaded(module)
    with pytest.raises(CannotSwap):
        found.swap(found.source.replace("return a + b", "return a"))


def test_executed_lines_are_counted(module: Any) -> None:
    lines: set[int] = set()
    found = loaded(module)
    found.count_lines(lines.add)
    module.plain(1)
    module.made(1)
    assert lines == {2, 6}


def test_a_sample_is_the_same_for_a_seed() -> None:
    (target,) = targets_and_results.targets(["shares/service.py"])
    assert target.near
    first = targets_and_results.draw_mutants(target, (20, 3))
    assert targets_and_results.draw_mutants(target, (20, 3)) == first
    assert targets_and_results.draw_mutants(target, (20, 4)) != first
    assert len(first) == 20
    assert len(targets_and_results.draw_mutants(target, (None, 0))) == len(mutants_of(target.path, target.source))


def test_the_table_names_existing_modules_and_tests() -> None:
    every = targets_and_results.targets([])
    assert len({target.path for target in every}) == len(every) > 25
    for target in every:
        for name in (target.path, *target.near, *target.wide):
            assert (targets_and_results.ROOT / name).exists(), name
    assert all(reason for reason in targets_and_results.equivalents().values()), "each with its reason"


def test_results_are_written_as_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (target,) = targets_and_results.targets(["shares/service.py"])
    first, second, third, *_ = chosen = targets_and_results.draw_mutants(target, (10, 3))
    lines = [
        f'{{"name": {targets_and_results.json.dumps(one.name)}, "outcome": "{outcome}"}}'
        for one, outcome in ((first, "killed"), (second, "survived"), (third, "not reached"))
    ]
    target.file(tmp_path).write_text("\n".join(lines) + "\n")
    judged: Mutant = third
    monkeypatch.setattr(targets_and_results, "equivalents", lambda: {judged.key(target.source): "why"})
    told, worst = targets_and_results.report([target], (10, 3), tmp_path, with_table=True)
    assert told[-1].split() == [target.path, "3", "1", "1", "1", str(len(chosen) - 3), "50%"]
    assert worst == 0.5
    assert any(line.startswith(second.key(target.source)) for line in told)
