"""The output of `annotarium plugins list` and `annotarium plugins check`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from annotarium.registry.component_info import ComponentInfo
from annotarium.registry.entry_points import read_unknown_groups
from annotarium.registry.loading import AnyComponent
from annotarium.registry.locales import BadLocale, ComponentTexts, read_component_texts
from annotarium.registry.parameter_schema import parameters_schema
from annotarium.registry.registry import Registry, get_registry
from annotarium_plugins.kinds import HOOKS_GROUP, KINDS
from annotarium_plugins.parameters import HINTS, Widget

GROUPS = (*(kind.group for kind in KINDS), HOOKS_GROUP)

INTERFACE_LANGUAGES = ("en", "fr")
"""Languages of the user interface (C-058). English texts are in the classes themselves."""

DESCRIBE_SECONDS = 0.5
BUILD_SECONDS = 0.5
PROBE_SECONDS = 120


@dataclass(frozen=True)
class Finding:
    """A problem of a component. An `error` prevents it from working, a `warning` does not."""

    level: Literal["error", "warning"]
    distribution: str
    kind: str
    name: str
    message: str


def list_component_rows(registry: Registry | None = None) -> list[dict[str, Any]]:
    """One row per component and hook module, after describing each, as JSON values (see `ComponentInfo`)."""
    registry = registry or get_registry()
    for info in registry.list():
        if info.state == "available":
            registry.describe(info.kind, info.name)
    rows = registry.list() + [info for info, _ in registry.hook_modules()]
    return [vars(info).copy() for info in rows]


def list_component_packages(registry: Registry | None = None) -> list[str]:
    """Names of the installed packages with components or hooks, sorted."""
    registry = registry or get_registry()
    infos = [*registry.list(), *(info for info, _ in registry.hook_modules())]
    return sorted({info.distribution for info in infos} | {owner for owner, _ in read_unknown_groups(GROUPS)})


def check_components(distribution: str | None = None, registry: Registry | None = None) -> list[Finding]:
    """Problems of the components of one distribution, or of all; each is tried in a separate process."""
    registry = registry or get_registry()
    findings: list[Finding] = []
    for info in registry.list():
        if distribution is None or info.distribution == distribution:
            found = _check_component(registry, info)
            findings.extend(Finding(level, info.distribution, info.kind, info.name, texts) for level, texts in found)
    for info, _ in registry.hook_modules():
        if info.state == "unavailable" and distribution in (None, info.distribution):
            findings.append(Finding("error", info.distribution, info.kind, info.name, info.reason))
    for owner, point in read_unknown_groups(GROUPS):
        if distribution in (None, owner):
            texts = f"Nobody reads the group {point.group}. Groups are {', '.join(GROUPS)}"
            findings.append(Finding("error", owner, "entry point", point.name, texts))
    return findings


Level = Literal["error", "warning"]
Findings = Iterator[tuple[Level, str]]


def _check_component(registry: Registry, info: ComponentInfo) -> Findings:
    if info.state == "disabled":
        return
    if info.state == "unavailable":
        yield "error", info.reason
        return
    result = _probe_in_subprocess(info)
    if result["reason"]:
        yield ("warning" if result.get("optional") else "error"), result["reason"]
        return
    yield from _check_import_cost(result)
    yield from check_component_texts(registry.component_class(info.kind, info.name), info.name)
    yield from _check_form_hints(registry.describe(info.kind, info.name).parameters_schema)


def _probe_in_subprocess(info: ComponentInfo) -> dict[str, Any]:
    command = [sys.executable, "-m", "annotarium.registry.probe", info.kind, info.name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return {"reason": f"Describing and building took more than {PROBE_SECONDS} seconds"}
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        return {"reason": f"The check ended with {done.returncode}: {done.stderr.strip()[-500:]}"}
    result: dict[str, Any] = json.loads(lines[-1])
    return result


def _check_import_cost(result: dict[str, Any]) -> Findings:
    if result["describe_heavy"]:
        yield "error", f"Describing imports {', '.join(result['describe_heavy'])}: import it inside the method"
    elif result["describe_seconds"] > DESCRIBE_SECONDS:
        yield "warning", f"Describing takes {result['describe_seconds']:.1f} s: import less at module level"
    if result["build_error"]:
        yield "error", f"It cannot be built with its default parameters: {result['build_error']}"
    elif result["build_heavy"] and not result["describe_heavy"]:
        yield "warning", f"Building imports {', '.join(result['build_heavy'])}: start heavy work in the verb"
    elif result["build_seconds"] > BUILD_SECONDS:
        yield "warning", f"Building takes {result['build_seconds']:.1f} s: start heavy work in the verb"


def check_component_texts(cls: type[AnyComponent], name: str) -> Findings:
    """Report missing titles and translations, in English and the other languages of the interface."""
    if not cls.title or not cls.description:
        yield "warning", "It has no title or no description"
    untitled = [field for field, facts in cls.parameters_model.model_fields.items() if not facts.title]
    if untitled:
        yield "warning", f"Parameters without a title: {', '.join(untitled)}"
    for language in INTERFACE_LANGUAGES:
        try:
            texts = read_component_texts(cls, name, language) or ComponentTexts()
        except BadLocale as error:
            yield "error", str(error)
            continue
        bare = _untitled_choices(cls, texts)
        if bare:
            yield "warning", f"Choices without words in {language}: {', '.join(bare)}"
        missing = _missing_translations(cls, texts) if language != INTERFACE_LANGUAGES[0] else []
        if missing:
            yield "warning", f"Not translated to {language}: {', '.join(missing)}"


def _missing_translations(cls: type[AnyComponent], texts: ComponentTexts) -> list[str]:
    missing = [key for key in ("title", "description") if getattr(cls, key) and not getattr(texts, key)]
    for name, facts in cls.parameters_model.model_fields.items():
        field = texts.parameters.get(name)
        if field is None or not field.title:
            missing.append(f"{name}.title")
        if facts.description and (field is None or not field.description):
            missing.append(f"{name}.description")
    return missing


def _untitled_choices(cls: type[AnyComponent], texts: ComponentTexts) -> list[str]:
    """Values of enumerations without a title, which a form would display as codes."""
    schema = parameters_schema(cls.parameters_model, title=cls.title)
    return [
        f"{name}.{value}"
        for name, field in schema.get("properties", {}).items()
        for value in field.get("enum", [])
        if isinstance(value, str) and not (name in texts.parameters and texts.parameters[name].enum.get(value))
    ]


def _check_form_hints(schema: dict[str, Any]) -> Findings:
    for name, field in schema.get("properties", {}).items():
        unknown = [key for key in field if key.startswith("x-") and key not in HINTS]
        if unknown:
            yield "warning", f"{name} has unknown hints: {', '.join(unknown)}"
        if field.get("x-widget") is not None and field["x-widget"] not in get_args(Widget):
            yield "warning", f"{name} has the unknown widget {field['x-widget']!r}"
        for other in field.get("x-applies-when", {}):
            if other not in schema["properties"]:
                yield "warning", f"{name} depends on the unknown parameter {other!r}"
