"""The checks before a commit: which tests belong to a change, and the format of a commit subject."""

from __future__ import annotations

import check_changed_files
import check_commits
import pytest


@pytest.mark.parametrize(
    ("subject", "accepted"),
    [
        ("search: keep results in order", True),
        ("tests, studio: feed the index", True),
        ("Merge branch 'x'", True),
        ("Mend what broke", False),
        ("WIP: things", False),
        ("search: results keep their order.", False),
        ("search: added an order", False),
        ("search: adding an order", False),
        ("search: " + "a" * 65, False),
    ],
)
def test_a_commit_subject_has_an_area_and_an_imperative(subject: str, accepted: bool) -> None:
    assert (check_commits.problem(subject) is None) is accepted


def test_a_changed_module_is_tested_by_the_corresponding_test_file() -> None:
    found = check_changed_files.tests_of(
        [
            "core/annotarium/jobs/job_creation.py",
            "core/annotarium/jobs/scheduling.py",
            "core/annotarium/app.py",
            "engines/annotarium_engines/learners/crf_file_check.py",
            "core/tests/jobs/test_claims.py",
            "README.md",
        ]
    )
    assert found == ["core/tests/jobs", "engines/tests/learners/test_crf_file_check.py"]


def test_only_sides_that_changed_are_checked() -> None:
    assert [name for name, _, _ in check_changed_files.steps(["README.md"])] == ["tests"]
    assert {"types", "style", "web types"} <= {
        name for name, _, _ in check_changed_files.steps(["core/annotarium/app.py", "webapp/src/main.tsx"])
    }


def test_a_changed_module_of_the_studio_is_tested_by_what_lies_next_to_it() -> None:
    found = check_changed_files.web_tests_of(
        ["src/api/server-messages.ts", "src/blocks/engines/clustering.test.tsx", "src/main.tsx", "e2e/signin.spec.ts"]
    )
    assert found == ["src/api/server-messages.test.ts", "src/blocks/engines/clustering.test.tsx"]
    assert "src/blocks/engines/predefined.test.tsx" in check_changed_files.web_tests_of(
        ["src/blocks/engines/use-clustering.ts"]
    )


def test_tests_that_take_too_long_are_left_to_the_whole_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check_changed_files, "TEST_SECONDS", 0.2)
    assert check_changed_files.run(("web tests", ["sh", "-c", "sleep 60 & wait"], "."))
    assert "the rest is left" in capsys.readouterr().out
    assert not check_changed_files.run(("web tests", ["sh", "-c", "echo FAIL src/a.test.ts; sleep 60 & wait"], "."))
    assert not check_changed_files.run(("types", ["false"], "."))
