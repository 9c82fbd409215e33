"""What processes need before any library is loaded: child processes, lanes, thread limits, options of `serve`."""
