"""Child process of `timed_regex`: reads one JSON line per text, writes one JSON line with the ranges. It imports the
standard library only.
"""

import json
import re
import sys


def main() -> None:
    """Serve requests until the parent closes the pipe."""
    order = json.loads(sys.argv[1])
    pattern = re.compile(order["pattern"], order["flags"])
    for line in sys.stdin.buffer:
        text = json.loads(line)["text"]
        spans = [found.span() for found in pattern.finditer(text) if found.end() > found.start()]
        sys.stdout.buffer.write(json.dumps(spans).encode("ascii") + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
