"""Finds, checks, describes and builds components; the only module that reads entry points."""

from annotarium.registry.component_info import ComponentDescription, ComponentInfo
from annotarium.registry.loading import AnyComponent
from annotarium.registry.registry import Registry, get_registry

__all__ = ["AnyComponent", "ComponentDescription", "ComponentInfo", "Registry", "get_registry"]
