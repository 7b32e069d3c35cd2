"""Writes the table of settings in docs/operations.md from the settings themselves; `--check` only compares."""

import sys
from pathlib import Path

from pydantic import SecretStr

from sightline.config import DOCUMENT_NAMES, Setting, load_settings

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "operations.md"
START, END = "<!-- settings: made by make settings-doc -->", "<!-- end of settings -->"


def _default(setting: Setting) -> str:
    value = setting.value
    if value is None or value == () or isinstance(value, SecretStr):
        return ""
    return f"`{','.join(value) if isinstance(value, tuple) else value}`"


def table() -> str:
    aliases = {key: name for name, key in DOCUMENT_NAMES.items()}
    lines = ["| setting | default | meaning |", "|---|---|---|"]
    for setting in load_settings({}, env_file=None).explain():
        alias = aliases.get((setting.section or "", setting.field))
        also = f" Also read from `{alias}`." if alias else ""
        lines.append(f"| `{setting.name}` | {_default(setting)} | {setting.description}{also} |")
    return "\n".join(lines)


def main() -> int:
    text = DOCUMENT.read_text(encoding="utf-8")
    head, _, rest = text.partition(START)
    _, _, tail = rest.partition(END)
    wanted = f"{head}{START}\n\n{table()}\n\n{END}{tail}"
    if "--check" in sys.argv:
        if wanted != text:
            print("docs/operations.md is out of date; run: make settings-doc", file=sys.stderr)
        return int(wanted != text)
    DOCUMENT.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
