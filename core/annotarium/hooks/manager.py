"""Registers hook modules and isolates their errors.

Measured on pluggy 1.7.0: an unknown argument is refused at registration, an unknown hook only by `check_pending()`, and
an implementation that raises stops the others and the caller. Therefore plugins are checked and called one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pluggy
import structlog
from pluggy import HookImpl, PluginManager

from annotarium.registry import ComponentInfo, get_registry
from annotarium_plugins import hookspecs

log = structlog.get_logger(__name__)


class Hooks:
    """The hooks of this process.

    Args:
        modules: rows with the modules that the registry has loaded, None where loading failed.
    """

    def __init__(self, modules: Iterable[tuple[ComponentInfo, object | None]]) -> None:
        self._manager = PluginManager(hookspecs.MARKER)
        self._manager.add_hookspecs(hookspecs)
        self._rows = [info if module is None else self._register(info, module) for info, module in modules]
        for row in self._rows:
            if row.state == "unavailable":
                log.warning("hooks.plugin_refused", plugin=_plugin_name(row), reason=row.reason)

    def rows(self) -> list[ComponentInfo]:
        """One row per hook module, kind `hook`; a refused one has a reason."""
        return list(self._rows)

    def call(self, hook: str, **arguments: Any) -> None:
        """Call a hook of all plugins. Errors of plugins are logged, not raised.

        Raises:
            LookupError: unknown hook or missing argument (an error of the caller).
        """
        caller = getattr(self._manager.hook, hook, None)
        if caller is None or caller.spec is None or not set(caller.spec.argnames) <= set(arguments):
            raise LookupError(f"No hook {hook} with arguments {sorted(arguments)}")
        for implementation in caller.get_hookimpls():
            self._call_one(hook, implementation, arguments)

    @staticmethod
    def _call_one(hook: str, implementation: HookImpl, arguments: dict[str, Any]) -> None:
        try:
            implementation.function(*(arguments[name] for name in implementation.argnames))
        except Exception:
            log.exception("hooks.implementation_failed", hook=hook, plugin=implementation.plugin_name)

    def _register(self, info: ComponentInfo, module: object) -> ComponentInfo:
        name = _plugin_name(info)
        try:
            self._manager.register(module, name=name)
            self._manager.check_pending()
            self._refuse_wrappers(module)
        except (pluggy.PluginValidationError, ValueError, TypeError) as error:
            if self._manager.has_plugin(name):
                self._manager.unregister(name=name)
            return replace(info, state="unavailable", reason=str(error).replace("\n", " "))
        return info

    def _refuse_wrappers(self, module: object) -> None:
        for caller in self._manager.get_hookcallers(module) or []:
            for implementation in caller.get_hookimpls():
                if implementation.plugin is module and (implementation.wrapper or implementation.hookwrapper):
                    raise ValueError(f"{caller.name}: wrappers are not accepted, hooks here only tell what happened")


def _plugin_name(info: ComponentInfo) -> str:
    return f"{info.distribution}:{info.name}"


@lru_cache(maxsize=1)
def get_hooks() -> Hooks:
    """The hooks of this process, registered at first use."""
    return Hooks(get_registry().hook_modules())
