"""In which order test files run. A plug-in of pytest.

Long files come first and short ones last, so that no worker is left alone at the end with a long one. The very first need nothing
that `make test` installs while they run.
"""

import pytest

_FIRST = (
    "tests/integration/media",
    "tests/integration/text",
    "tests/integration/jobs",
    "tests/e2e",
    "tests/integration",
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: _rank(item.nodeid))  # stable: within a file and a folder the order stays


def _rank(name: str) -> int:
    return next((rank for rank, folder in enumerate(_FIRST) if name.startswith(folder)), len(_FIRST))
