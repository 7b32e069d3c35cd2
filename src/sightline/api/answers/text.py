"""Segments, entities and search results as JSON, as the API and the command line return them."""

from typing import Literal, Self
from uuid import UUID

from pydantic import BaseModel, Field

from sightline.text import BlockLine, Box, EntityOccurrence, HitLine, SearchHit, SegmentKind, TextSegment, is_unsure

EXAMPLE_SEGMENT = UUID("5b0e4f0a-9d2c-5a51-9a4e-2b7f1c8d3e60")
EXAMPLE_VIDEO = UUID("a1b2c3d4-e5f6-7890-abcd-ef1234567890")


class BoxAnswer(BaseModel):
    """In pixels of the original, from its upper left corner."""

    x: int = Field(examples=[120])
    y: int = Field(examples=[640])
    width: int = Field(examples=[410])
    height: int = Field(examples=[38])

    @classmethod
    def of(cls, box: Box) -> Self:
        return cls(**box.to_json())


class WordAnswer(BaseModel):
    text: str = Field(examples=["invoice"])
    t_start: int = Field(examples=[61_500], description="In ms of the video.")
    t_end: int = Field(examples=[61_900])
    probability: float = Field(examples=[0.97])


class BlockAnswer(BaseModel):
    """The lines of a block belong together: a paragraph, a list, a cell of a table, or a caption."""

    number: int = Field(
        examples=[3], description="Number of the block in the video, by time and reading order, from 0."
    )
    kind: Literal["paragraph", "list", "cell", "caption"] = Field(examples=["paragraph"])
    line: int = Field(examples=[0], description="Number of the segment among the lines of the block, from 0.")

    @classmethod
    def of(cls, place: BlockLine) -> Self:
        return cls(number=place.block, kind=place.kind, line=place.line)


_UNSURE = Field(examples=[False], description="Whether the words may well be others: the confidence is low.")
_KIND = Field(examples=["text"], description="`text`: shown on screen. `speech`: said; its box is empty.")


class SegmentAnswer(BaseModel):
    segment_id: UUID = Field(examples=[EXAMPLE_SEGMENT])
    text: str = Field(examples=["Invoice total: $1,299.99"])
    normalized_text: str = Field(examples=["invoice total: $1,299.99"])
    t_start: int = Field(examples=[61_500], description="When it appears, in ms of the video.")
    t_end: int = Field(examples=[64_000], description="When it disappears, in ms of the video.")
    confidence: float = Field(examples=[0.94])
    bounding_box: BoxAnswer
    language: str = Field(examples=["eng"])
    frame_ms: int = Field(examples=[61_800], description="The key frame that shows it best; the box refers to it.")
    kind: SegmentKind = _KIND
    words: list[WordAnswer] | None = Field(examples=[None], description="Of speech: its words with their times.")
    unsure: bool = _UNSURE
    block: BlockAnswer | None = Field(
        examples=[{"number": 3, "kind": "paragraph", "line": 0}], description="Its block; null for speech."
    )

    @classmethod
    def of(cls, segment: TextSegment) -> Self:
        return cls(
            segment_id=segment.id,
            text=segment.text,
            normalized_text=segment.normalized_text,
            t_start=segment.t_start,
            t_end=segment.t_end,
            confidence=round(segment.confidence, 4),
            bounding_box=BoxAnswer.of(segment.box),
            language=segment.language,
            frame_ms=segment.frame_ms,
            kind=segment.kind,
            words=None if segment.words is None else [WordAnswer(**word) for word in segment.words],
            unsure=is_unsure(segment.confidence, segment.kind),
            block=None if segment.place is None else BlockAnswer.of(segment.place),
        )


class PageAnswer(BaseModel):
    page: int = Field(examples=[1])
    page_size: int = Field(examples=[20])
    total: int = Field(examples=[42], description="Number of results on all pages.")


class SegmentsAnswer(PageAnswer):
    segments: list[SegmentAnswer]


class EntityAnswer(BaseModel):
    entity_type: str = Field(examples=["number"])
    value: str = Field(examples=["$1,299.99"], description="As written in the text.")
    normalized_value: str = Field(examples=["1299.99 usd"])
    segment_id: UUID = Field(examples=[EXAMPLE_SEGMENT])
    text: str = Field(examples=["Invoice total: $1,299.99"], description="The text of the segment.")
    start: int | None = Field(examples=[15], description="Offset in that text, in characters.")
    t_start: int = Field(examples=[61_500])
    t_end: int = Field(examples=[64_000])

    @classmethod
    def of(cls, entity: EntityOccurrence) -> Self:
        return cls(
            entity_type=entity.entity_type,
            value=entity.value,
            normalized_value=entity.normalized_value,
            segment_id=entity.segment_id,
            text=entity.text,
            start=entity.start_offset,
            t_start=entity.t_start,
            t_end=entity.t_end,
        )


class EntitiesAnswer(PageAnswer):
    entities: list[EntityAnswer]


class MarkAnswer(BaseModel):
    """Characters of the text, counted by code points; the end is not included."""

    start: int = Field(examples=[0])
    end: int = Field(examples=[7])


class HitLineAnswer(BaseModel):
    segment_id: UUID = Field(examples=[EXAMPLE_SEGMENT])
    text: str = Field(examples=["Invoice total: $1,299.99"], description="As it was read; plain text, not HTML.")
    highlights: list[MarkAnswer] = Field(description="Positions of the matched words in the text.")
    bounding_box: BoxAnswer

    @classmethod
    def of(cls, line: HitLine) -> Self:
        return cls(
            segment_id=line.row.id,
            text=line.text,
            highlights=[MarkAnswer(start=start, end=end) for start, end in line.spans],
            bounding_box=BoxAnswer.of(line.row.box),
        )


class HitAnswer(BaseModel):
    video_id: UUID = Field(examples=[EXAMPLE_VIDEO])
    video_name: str = Field(examples=["lecture.mp4"])
    segment_id: UUID = Field(examples=[EXAMPLE_SEGMENT])
    text: str = Field(examples=["Invoice total: $1,299.99"], description="As it was read; plain text, not HTML.")
    highlights: list[MarkAnswer] = Field(description="Positions of the matched words in the text.")
    match: str = Field(
        examples=["exact"],
        description="`exact`, `slip` for a word that differs by one letter, or `meaning`.",
    )
    may_be_misread: bool = Field(
        examples=[False], description="A `slip` in a text that was read with doubt, rather than a mistyped query."
    )
    scope: Literal["line", "block", "moment"] = Field(
        examples=["line"],
        description="`line`: all words are in this text. `block`: in several lines of its block, or in sentences said one after "
        "the other. `moment`: in texts that are on screen together. The text is the one where the match begins.",
    )
    lines: list[HitLineAnswer] = Field(description="All texts that the match touches, in reading order.")
    matched: Literal["words", "meaning"] = Field(
        examples=["words"],
        description="By its words, or by its meaning alone; the text is then that of all lines of the passage, and "
        "`segment_id` its first line.",
    )
    similarity: float | None = Field(
        examples=[None], description="Of a hit by meaning: 0 to 1. Comparable among hits of one search only."
    )
    t_start: int = Field(examples=[61_500], description="When it appears, in ms of the video.")
    t_end: int = Field(examples=[64_000], description="When it disappears, in ms of the video.")
    confidence: float = Field(examples=[0.94])
    unsure: bool = _UNSURE
    bounding_box: BoxAnswer
    language: str = Field(examples=["eng"])
    frame_ms: int = Field(examples=[61_800], description="The key frame that shows it best; the box refers to it.")
    kind: SegmentKind = _KIND
    thumbnail_url: str = Field(
        examples=["https://example.com/objects/…/61800.jpg?X-Amz-Signature=…"],
        description="URL of that frame; expires.",
    )
    play_url: str = Field(
        examples=[f"/ui/videos/{EXAMPLE_VIDEO}?t=61.5"],
        description="Address of the page, at the time the text appears.",
    )
    stream_url: str = Field(
        examples=[f"/videos/{EXAMPLE_VIDEO}/stream/index.m3u8"], description="The video's HLS stream."
    )

    @classmethod
    def of(cls, hit: SearchHit, *, thumbnail_url: str) -> Self:
        row = hit.row
        return cls(
            video_id=row.video_id,
            video_name=row.video_name,
            segment_id=row.id,
            text=hit.text,
            highlights=[MarkAnswer(start=start, end=end) for start, end in hit.spans],
            match=hit.found_as,
            scope=hit.scope,
            lines=[HitLineAnswer.of(line) for line in hit.lines],
            may_be_misread=hit.may_be_misread,
            matched="meaning" if hit.found_as == "meaning" else "words",
            similarity=None if hit.similarity is None else round(hit.similarity, 4),
            t_start=row.t_start,
            t_end=row.t_end,
            confidence=round(row.confidence, 4),
            unsure=is_unsure(row.confidence, row.kind),
            bounding_box=BoxAnswer.of(row.box),
            language=row.language,
            frame_ms=row.frame_ms,
            kind=row.kind,
            thumbnail_url=thumbnail_url,
            play_url=f"/ui/videos/{row.video_id}?t={row.t_start / 1000:g}",
            stream_url=f"/videos/{row.video_id}/stream/index.m3u8",
        )
