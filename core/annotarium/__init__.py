"""The Annotarium server."""

__version__: str


def __getattr__(name: str) -> str:
    """The version, looked up when somebody asks: most of a small process would go into it."""
    if name != "__version__":
        raise AttributeError(name)
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("annotarium")
    except PackageNotFoundError:  # running from a source tree that was not installed
        found = "0.0.0"
    globals()["__version__"] = found
    return found
