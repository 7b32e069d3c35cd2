"""What a player does with a playlist of recordings."""

import httpx


def entries(playlist: str) -> list[tuple[str, str]]:
    """Address and byte range of every initialization and segment, in order."""
    found, wanted = [], ""
    for line in playlist.splitlines():
        if line.startswith("#EXT-X-MAP:"):
            _, address, _, size, *_ = line.split('"')
            found.append((address, size))
        elif line.startswith("#EXT-X-BYTERANGE:"):
            wanted = line.partition(":")[2]
        elif not line.startswith("#"):
            found.append((line, wanted))
    return found


async def fetched(client: httpx.AsyncClient, address: str, size: str) -> bytes:
    length, _, start = size.partition("@")
    first = int(start)
    response = await client.get(address, headers={"range": f"bytes={first}-{first + int(length) - 1}"})
    assert response.status_code == 206
    return response.content
