"""The probe of containers: `python -m sightline.probe [--deep] PORT`. Ends with 1, and the reason, unless the process is healthy.

`--deep` asks for every part, with `SIGHTLINE_OBSERVABILITY_METRICS_TOKEN` where it is set. It imports nothing of the platform,
since it runs every few seconds beside it.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from typing import Any

TOKEN = "SIGHTLINE_OBSERVABILITY_METRICS_TOKEN"  # noqa: S105 -- the name of a setting
TIMEOUT_S = 10.0


def main(arguments: list[str]) -> int:
    is_deep = "--deep" in arguments
    ports = [one for one in arguments if one != "--deep"]
    if len(ports) != 1 or not ports[0].isdecimal():
        print("usage: python -m sightline.probe [--deep] PORT", file=sys.stderr)
        return 2
    problem = find_problem(int(ports[0]), is_deep=is_deep)
    if problem:
        print(problem, file=sys.stderr)
    return 1 if problem else 0


def find_problem(port: int, *, is_deep: bool) -> str | None:
    """What is wrong with the process that listens on this port of this machine; None if nothing."""
    address = f"http://127.0.0.1:{port}/api/health" + ("?deep=true" if is_deep else "")
    token = os.environ.get(TOKEN)
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"} if token else {})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S):  # noqa: S310 -- of this machine
            return None
    except urllib.error.HTTPError as error:
        if error.code == 401:
            return f"health of all parts needs {TOKEN}, the same as that of the process"
        return _sick_parts(error.read()) or f"health answers {error.code}"
    except OSError as error:
        return f"nothing answers on port {port}: {error}"


def _sick_parts(body: bytes) -> str:
    try:
        parts: dict[str, dict[str, Any]] = json.loads(body).get("parts") or {}
    except (ValueError, AttributeError):
        return ""
    return "; ".join(f"{name}: {part['error']}" for name, part in parts.items() if part.get("error"))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
