"""Names of new projects: derived from their labels, with a number if they are taken."""

from __future__ import annotations

import pytest

from annotarium.domains.projects.names import free_name, name_from_label


@pytest.mark.parametrize(("label", "name"), [("Presse écrite 2024!", "presse_ecrite_2024"), ("!!", "project")])
def test_a_name_for_urls_is_derived_from_the_label(label: str, name: str) -> None:
    assert name_from_label(label) == name
    assert len(name_from_label(label * 50)) <= 60


def test_a_taken_name_gets_the_first_free_number() -> None:
    assert free_name("press", {"art"}) == "press"
    assert free_name("press", {"press", "press_2"}) == "press_3"
    assert len(free_name("p" * 100, {"p" * 100})) < 100
