"""Tools that change something; offered only with `--allow-changes`."""

from pathlib import Path
from typing import Any

from pydantic import Field

from sightline.client import AsyncSightline, InvalidInput
from sightline.file_types import HEAD_BYTES, demuxer_name, describe_other
from sightline.mcp.reading_tools import event_line
from sightline.mcp.tool import Arguments, Content, Tool, text


class AcknowledgeArguments(Arguments):
    event_id: int = Field(ge=1, le=2**62)


class UploadArguments(Arguments):
    path: str = Field(min_length=1, max_length=4000, description="Absolute path of a video file on this machine.")


class ChangingTools:
    """Each method is a tool."""

    def __init__(self, client: AsyncSightline) -> None:
        self._client = client

    def tools(self) -> list[Tool[Any]]:
        return [
            Tool(
                "acknowledge_event",
                "Acknowledge an event",
                "Record that a person has seen a security event. Its alerts stop escalating.",
                AcknowledgeArguments,
                self.acknowledge,
                changes=True,
            ),
            Tool(
                "upload_video",
                "Upload a video",
                "Upload a video file of this machine. It is searchable some time later; list_videos shows its status.",
                UploadArguments,
                self.upload,
                changes=True,
            ),
        ]

    async def acknowledge(self, asked: AcknowledgeArguments) -> Content:
        return [text(event_line(await self._client.acknowledge(asked.event_id)))]

    async def upload(self, asked: UploadArguments) -> Content:
        path = _video_file(asked.path)
        video = await self._client.upload(path)
        return [text(f"Uploaded as video {video.video_id}. {self._client.page_url(video)}")]


def _video_file(text: str) -> Path:
    """Only videos: a model that was talked into it could otherwise upload any file that its user can read."""
    path = Path(text)
    try:
        if not path.is_absolute() or not path.is_file():
            raise InvalidInput(f"{text[:200]!r} is not the absolute path of a file")
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{text[:200]!r} cannot be read: {error}") from error
    if demuxer_name(head) is None:
        raise InvalidInput(f"{path}: {describe_other(head)}")
    return path
