"""Paths as logs may show them: without the token of a share link. Pure."""

SHARES_PATH = "/s/"


def loggable_path(path: str) -> str:
    if not path.startswith(SHARES_PATH):
        return path
    _, _, rest = path.removeprefix(SHARES_PATH).partition("/")
    return f"{SHARES_PATH}…/{rest}" if rest else f"{SHARES_PATH}…"
