"""The job that tries out the job system."""

from __future__ import annotations

import time

from annotarium.jobs.context import JobContext, job_function
from annotarium_schemas.messages import message

_STEP_SECONDS = 0.25


@job_function("count_seconds")
def count_seconds(context: JobContext, seconds: int) -> None:
    """Count seconds, one report line each, so that a restarted job resumes where the first run stopped."""
    counted = len(context.done_items())
    project_name = context.project_name
    while counted < seconds:
        until = time.monotonic() + 1
        while time.monotonic() < until:
            context.progress(
                counted,
                seconds,
                message(
                    "done.ofSeconds",
                    "{done} of {count:,} seconds",
                    one="{done} of {count:,} second",
                    done=counted,
                    count=seconds,
                ),
            )
            time.sleep(_STEP_SECONDS)
        with context.open(project_name, write=True) as call:
            context.report(call, f"second-{counted + 1}", "skipped", ordinal=counted)
        counted += 1
    context.progress(
        seconds,
        seconds,
        message(
            "done.ofSeconds",
            "{done} of {count:,} seconds",
            one="{done} of {count:,} second",
            done=seconds,
            count=seconds,
        ),
    )
    context.finish(
        message=message("done.seconds", "{count:,} seconds counted", one="{count:,} second counted", count=seconds),
        result={"seconds": seconds},
    )
