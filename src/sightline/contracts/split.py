"""The message that starts the processing of an uploaded video (document 004's split queue)."""

from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from sightline.errors import InvalidInput


class SplitVideo(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", frozen=True)

    video_id: UUID
    bucket: str = Field(min_length=1)
    key: str = Field(min_length=1)

    def to_json(self) -> str:
        return self.model_dump_json(by_alias=True)


def parse_split(text: str) -> SplitVideo:
    """The message, or an error that names the field."""
    try:
        return SplitVideo.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "message"
        raise InvalidInput(f"invalid split message: {where}: {first['msg']}") from error
