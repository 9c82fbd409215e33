"""Which lanes share a slot: short, long and heavy jobs never wait for each other, whatever the number of workers."""

from __future__ import annotations

import pytest

from annotarium.errors import InvalidInput
from annotarium.settings import get_settings
from annotarium.system.lanes import LANES, plan_slots


@pytest.mark.parametrize("workers", range(1, 9))
def test_every_lane_has_a_slot_and_short_long_and_heavy_share_none(workers: int) -> None:
    slots = plan_slots(workers)
    assert {lane for slot in slots for lane in slot.lanes} == set(LANES)
    assert len({slot.name for slot in slots}) == len(slots)
    for slot in slots:
        assert slot.lanes in (("interactive",), ("interactive", "default"), ("long",), ("heavy",))


@pytest.mark.parametrize("workers", range(2, 9))
def test_interactive_jobs_have_their_own_slot(workers: int) -> None:
    assert plan_slots(workers)[0].lanes == ("interactive",)


def test_one_worker_serves_all_lanes_in_three_slots() -> None:
    assert [slot.lanes for slot in plan_slots(1)] == [("interactive", "default"), ("long",), ("heavy",)]


def test_a_worker_may_serve_some_lanes_only() -> None:
    assert [slot.lanes for slot in plan_slots(2, ["heavy"])] == [("heavy",)]
    assert [slot.lanes for slot in plan_slots(2, ["long", "default"])] == [("default",), ("default",), ("long",)]


def test_lanes_are_a_comma_separated_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANNOTARIUM_LANES", "long, heavy")
    get_settings.cache_clear()
    assert get_settings().lanes == ["long", "heavy"]
    monkeypatch.setenv("ANNOTARIUM_LANES", "long,fast")
    get_settings.cache_clear()
    with pytest.raises(InvalidInput, match="setting"):
        get_settings()
    get_settings.cache_clear()
