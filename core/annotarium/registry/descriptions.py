"""Builds the description of a loaded component class."""

from __future__ import annotations

from dataclasses import replace

import orjson

from annotarium.registry.component_info import ComponentDescription, ComponentInfo
from annotarium.registry.loading import AnyComponent, UnloadableComponent
from annotarium.registry.locales import component_texts_or_empty, translate_schema
from annotarium.registry.parameter_schema import default_values, parameters_schema, ui_schema


def describe_class(cls: type[AnyComponent], info: ComponentInfo) -> ComponentDescription:
    """The description with the class's own texts (English).

    Raises:
        UnloadableComponent: attributes or the parameter model of the class are not usable.
    """
    _check_class_attributes(cls)
    try:
        title = cls.title or info.name
        schema = parameters_schema(cls.parameters_model, title=title)
        extension = getattr(cls, "extension", None) if info.kind == "formatter" else None
        described = ComponentDescription(
            info=info,
            title=title,
            description=cls.description,
            languages=tuple(cls.languages),
            natures=tuple(cls.natures),
            extensions=(extension,) if extension else tuple(getattr(cls, "extensions", ())),
            content_type=getattr(cls, "content_type", None),
            component_version=cls.version,
            by_default=getattr(cls, "by_default", False) is True,
            needs_labels=getattr(cls, "needs_labels", True) is not False,
            parameters_schema=schema,
            ui_schema=ui_schema(schema),
            defaults=default_values(cls.parameters_model),
        )
        # One that cannot be serialised would make the whole list of components fail.
        orjson.dumps((described.parameters_schema, described.ui_schema, described.defaults))
        return described
    except Exception as error:
        raise UnloadableComponent(f"Describing {cls.__name__} failed: {type(error).__name__}: {error}") from error


def _check_class_attributes(cls: type[AnyComponent]) -> None:
    for name in ("title", "description", "version", "content_type", "extension"):
        value = getattr(cls, name, None)
        if value is not None and not isinstance(value, str):
            raise UnloadableComponent(f"{name} of {cls.__name__} is not a text: write it as a class attribute")
    for name in ("languages", "natures", "extensions"):
        values = getattr(cls, name, ())
        if not isinstance(values, tuple | list | set | frozenset) or not all(
            isinstance(value, str) for value in values
        ):
            raise UnloadableComponent(f'{name} of {cls.__name__} is not a tuple of texts: write ("one", "two")')


def translate_description(
    description: ComponentDescription, cls: type[AnyComponent], language: str
) -> ComponentDescription:
    """The description with the package's translation to the language."""
    texts = component_texts_or_empty(cls, description.info.name, language)
    title = texts.title or description.title
    schema = translate_schema(description.parameters_schema, texts.parameters)
    return replace(
        description,
        title=title,
        description=texts.description or description.description,
        parameters_schema={**schema, "title": title},
    )
