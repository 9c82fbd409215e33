"""The child of `timed_regex`: one JSON line in (a text), one JSON line out (ranges). Standard library only."""

import json
import re
import sys


def main() -> None:
    """Serve until the parent closes the pipe."""
    order = json.loads(sys.argv[1])
    pattern = re.compile(order["pattern"], order["flags"])
    for line in sys.stdin.buffer:
        text = json.loads(line)["text"]
        spans = [found.span() for found in pattern.finditer(text) if found.end() > found.start()]
        sys.stdout.buffer.write(json.dumps(spans).encode("ascii") + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
