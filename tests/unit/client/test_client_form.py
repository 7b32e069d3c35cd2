"""The form of the client: both classes have the same methods, and importing them loads no part of the platform."""

import inspect
import json
import subprocess
import sys

import pytest

from sightline.client import AsyncSightline, Sightline
from sightline.client.parameters import query_of
from sightline.errors import InvalidInput

PLATFORM = {
    "asyncpg",
    "fastapi",
    "starlette",
    "uvicorn",
    "numpy",
    "cv2",
    "av",
    "structlog",
    "pydantic",
    "prometheus_client",
}


def methods(kind: type) -> set[str]:
    return {name for name, value in vars(kind).items() if callable(value) and not name.startswith("_")}


@pytest.mark.req(775)
def test_both_forms_have_the_same_methods_with_the_same_parameters():
    assert methods(Sightline) == methods(AsyncSightline)
    for name in methods(Sightline) - {"close"}:
        ours, theirs = (inspect.signature(getattr(kind, name)) for kind in (Sightline, AsyncSightline))
        assert list(ours.parameters.items()) == list(theirs.parameters.items()), name
        assert getattr(Sightline, name).__doc__ == getattr(AsyncSightline, name).__doc__


def imported_by(statement: str) -> set[str]:
    source = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, check=True)
    return set(json.loads(done.stdout))


@pytest.mark.req(772)
def test_importing_the_client_loads_neither_the_platform_nor_a_network_library():
    names = imported_by("import sightline.client")
    assert not {"httpx", "websockets", "msgspec", "asyncio"} & names
    used = imported_by("from sightline.client import Sightline; Sightline('http://127.0.0.1:9').close()")
    assert "httpx" in used
    assert not {name.partition(".")[0] for name in used} & PLATFORM
    allowed = ("sightline.client", "sightline.errors", "sightline.timing")
    assert {name for name in used if name.startswith("sightline.") and not name.startswith(allowed)} == set()


def test_parameters_are_written_as_the_api_reads_them():
    assert query_of({"fuzzy": True, "page": 2, "camera_id": None, "state": ["a", "b"]}) == [
        ("fuzzy", "true"),
        ("page", "2"),
        ("state", "a"),
        ("state", "b"),
    ]
    with pytest.raises(InvalidInput, match="x: .* cannot be sent"):
        query_of({"x": object()})  # type: ignore[dict-item]
