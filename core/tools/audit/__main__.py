"""`python -m audit`: exit status 0 no objection, 1 a vulnerability or licence is objected to, 3 no objection but not
every package could be checked.
"""

from __future__ import annotations

import sys

from audit.advisories import AdvisoryReport, npm_advisories, python_advisories
from audit.inventory import npm_packages, python_packages
from audit.licences import Policy, licence_refusals, unused_exceptions

GOOD, BAD, UNKNOWN = 0, 1, 3


def verdict(refused: list[str], answers: list[AdvisoryReport]) -> int:
    """Return the exit status; an objection takes precedence over missing information."""
    if refused or any(one.found for one in answers):
        return BAD
    return GOOD if all(one.complete for one in answers) else UNKNOWN


def report(answer: AdvisoryReport) -> None:
    """Print the advisories of one ecosystem, and the packages without information."""
    for line in answer.found:
        print(f"ADVISORY {line}")
    if answer.failure:
        print(f"NOT KNOWN {answer.ecosystem}: no advisory service answered ({answer.failure}).")
    elif answer.unasked:
        names = ", ".join(answer.unasked[:8]) + (", ..." if len(answer.unasked) > 8 else "")
        print(f"NOT KNOWN {answer.ecosystem}: no answer for {len(answer.unasked)} packages ({names}).")
    if answer.asked:
        print(f"Advisories, {answer.ecosystem}: {answer.asked} packages asked for, {len(answer.found)} found")


def main() -> int:
    """Run all checks, print their results and return the exit status."""
    python, npm = python_packages(), npm_packages()
    refused = licence_refusals([*python, *npm], Policy.read())
    for line in refused:
        print(f"LICENCE {line}")
    for line in unused_exceptions([*python, *npm], Policy.read()):
        print(f"LICENCE the exception for {line} is not used any more")
    print(f"Licences: {len(python)} Python and {len(npm)} npm packages, {len(refused)} refused")
    answers = [python_advisories(python), npm_advisories(npm)]
    for answer in answers:
        report(answer)
    status = verdict(refused, answers)
    if status == UNKNOWN:
        print("This is no clean bill: run `make audit` where the services can be reached.")
    return status


if __name__ == "__main__":
    sys.exit(main())
