"""The bill of materials of the wheel: what runs with it, with exact versions (CycloneDX 1.6, JSON).

`python -m audit.sbom FILE` writes it; `make build` does so before it builds the wheel. It lists the Python packages of
the default installation as they were in the environment that built and tested it, and the packages the web app is built
from. With SOURCE_DATE_EPOCH the same input gives the same bytes.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from audit.inventory import OWN, ROOT, Package, npm_packages, python_packages
from audit.licences import Policy


def shipped_packages() -> list[Package]:
    """Return the packages that the wheel contains or requires."""
    return [one for one in (*python_packages(), *npm_packages()) if one.shipped]


def bill(packages: Iterable[Package], policy: Policy) -> Bom:
    """Return the bill of materials of this version with these packages."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = Component(
        name=OWN,
        version=project["version"],
        type=ComponentType.APPLICATION,
        purl=PackageURL("pypi", None, OWN, project["version"]),
        licenses=[LicenseExpression(project["license"])],
        bom_ref=OWN,
    )
    made = Bom(serial_number=uuid5(NAMESPACE_URL, f"{OWN}@{project['version']}"))
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    made.metadata.timestamp = datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
    made.metadata.component = own
    components = [_component(one, policy) for one in packages]
    made.components.update(components)
    made.register_dependency(own, components)
    return made


def _component(package: Package, policy: Policy) -> Component:
    namespace, _, name = package.name.rpartition("/")
    purl = PackageURL(package.ecosystem, namespace or None, name, package.version)
    expression = policy.expression(package)
    exception = policy.exceptions.get(package.ecosystem, {}).get(package.name)
    named = (
        DisjunctiveLicense(name=exception["stated"]) if exception else LicenseExpression(expression or "NOASSERTION")
    )
    return Component(
        name=package.name,
        version=package.version,
        type=ComponentType.LIBRARY,
        purl=purl,
        licenses=[named],
        bom_ref=purl.to_string(),
    )


def as_json(made: Bom) -> str:
    """Return the text of the file."""
    return JsonV1Dot6(made).output_as_string(indent=1) + "\n"


def main() -> None:
    """Write the bill of materials to the file named as the only argument."""
    target = Path(sys.argv[1])
    packages = shipped_packages()
    target.write_text(as_json(bill(packages, Policy.read())), encoding="utf-8")
    print(f"{target}: {len(packages)} packages")


if __name__ == "__main__":
    main()
