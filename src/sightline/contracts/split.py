"""The message that starts the processing of an uploaded video (document 004's split queue)."""

from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from sightline.contracts.parsing import parse_model


class SplitVideo(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", frozen=True)

    video_id: UUID
    bucket: str = Field(min_length=1)
    key: str = Field(min_length=1)

    def to_json(self) -> str:
        return self.model_dump_json(by_alias=True)


def parse_split(text: str) -> SplitVideo:
    """The message. Raises `InvalidInput` that names the invalid field."""
    return parse_model(SplitVideo, text, name="split message")
