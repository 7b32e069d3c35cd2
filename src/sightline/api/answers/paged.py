"""Pages of lists in responses."""

from pydantic import BaseModel, Field, computed_field

EXAMPLE_CURSOR = "2026-01-17T10:00:00.000000Z_3c9d4c52-6a1e-4a55-9a3c-0f6f0a6f1a11"


class PagedAnswer(BaseModel):
    next_cursor: str | None = Field(
        examples=[EXAMPLE_CURSOR], description="Pass it as `cursor` to get the next page; null at the end."
    )


class PagedAnswerWithNext(PagedAnswer):
    """A list whose cursor used to be called `next`; the old name is returned for one more release."""

    # Marked in the schema alone: pydantic's own mark would warn at every response.
    @computed_field(  # type: ignore[prop-decorator]
        description="The former name of `next_cursor`.",
        json_schema_extra={"deprecated": True, "examples": [EXAMPLE_CURSOR]},
    )
    @property
    def next(self) -> str | None:
        return self.next_cursor
