"""The detector on a server, in the form of CodeProject.AI and DeepStack: `POST /v1/vision/detection` with a JPEG."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import numpy as np

from sightline.errors import BackendUnavailable, PermanentFailure, PlatformError
from sightline.http import HttpClient, check_status
from sightline.vision.boxes import clip
from sightline.vision.detector import WHOLE, Box, DetectedObject, ModelCard, Picture
from sightline.vision.inference.findings import Finding, chosen_objects, merge
from sightline.vision.labels import GROUPS, usual_name
from sightline.vision.metrics import VisionMetrics
from sightline.vision.process_detector import check_picture
from sightline.vision.settings import VisionSettings
from sightline.vision.tiles import crop, tiles_around, touches_inner_edge

PART = "detection server"
PATH = "/v1/vision/detection"
SIDE = 640
"""Input size of the models that such servers run, in pixels."""
JPEG_QUALITY = 90
MAX_PARALLEL = 2
MIN_CONFIDENCE = 0.1
"""Sent with each request; thresholds are applied here, after pictures and tiles were merged."""


class HttpDetector:
    """Call `close` at the end."""

    def __init__(self, settings: VisionSettings, card: ModelCard, metrics: VisionMetrics) -> None:
        if settings.url is None:
            raise ValueError("the settings name no detection server")
        self._settings = settings
        self._url = settings.url.rstrip("/") + PATH
        self._card = card
        self._metrics = metrics
        self._http = HttpClient(PART, timeout_s=settings.timeout_s)
        self._turns = asyncio.Semaphore(MAX_PARALLEL)
        self._problem: str | None = None

    @property
    def models(self) -> Sequence[ModelCard]:
        return (self._card,)

    @property
    def problem(self) -> str | None:
        return self._problem

    async def detect(
        self,
        picture: Picture,
        *,
        regions: Sequence[Box] = (),
        source: str = "",
        is_urgent: bool = False,
        part: Box = WHOLE,
        is_brief: bool = False,
    ) -> list[DetectedObject]:
        check_picture(picture)
        height, width = picture.shape[:2]
        tiles = tiles_around(regions, width, height, side=SIDE, max_tiles=self._settings.max_tiles)
        findings: list[Finding] = []
        with self._metrics.detection():
            for looked_at in (part, *tiles):
                findings += await self._look(picture, looked_at)
        return chosen_objects(
            merge(findings, self._settings.max_overlap),
            min_score=self._settings.min_score,
            min_scores=self._settings.lowest_scores(),
            objects=self._settings.objects,
        )

    def close(self) -> None:
        self._http.close()

    async def _look(self, picture: Picture, part: Box) -> list[Finding]:
        jpeg, width, height = await asyncio.to_thread(_encode, picture, part)
        fields = {"min_confidence": str(MIN_CONFIDENCE)}
        if self._settings.api_key is not None:
            fields["api_key"] = self._settings.api_key.get_secret_value()
        content_type, body = _form(fields, jpeg)
        try:
            async with self._turns:
                response = await self._http.request(
                    "POST", self._url, headers={"content-type": content_type}, content=body
                )
            check_status(PART, response, url=self._card.file)
            found = parse_predictions(response.body, part, width, height)
        except PlatformError as error:
            self._problem = error.message
            raise
        self._problem = None
        return found


@asynccontextmanager
async def open_http_detector(
    settings: VisionSettings, card: ModelCard, metrics: VisionMetrics
) -> AsyncIterator[HttpDetector]:
    detector = HttpDetector(settings, card, metrics)
    try:
        yield detector
    finally:
        detector.close()


def parse_predictions(body: bytes | bytearray, part: Box, width: int, height: int) -> list[Finding]:
    """What a server found in a part of the picture of this size in pixels. Pure."""
    try:
        answer = json.loads(body)
        if not answer.get("success", True):
            reason = str(answer.get("error") or "no reason given")[:300]
            raise PermanentFailure(f"the detection server refused the picture: {reason}")
        found = [_finding(one, part, width, height) for one in answer["predictions"]]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BackendUnavailable(
            PART, f"the detection server sent a response of another form: {type(error).__name__}"
        ) from error
    return [one for one in found if one is not None]


def _finding(prediction: Mapping[str, Any], part: Box, width: int, height: int) -> Finding | None:
    left, top, right, bottom = (float(prediction[key]) for key in ("x_min", "y_min", "x_max", "y_max"))
    given = np.array([[left / width, top / height, (right - left) / width, (bottom - top) / height]], np.float32)
    inner = tuple(float(one) for one in clip(given)[0])
    score = float(prediction["confidence"])
    label = usual_name(str(prediction["label"]))
    if not np.isfinite(given).all() or not 0 <= score <= 1 or inner[2] <= 0 or inner[3] <= 0:
        return None
    if part != WHOLE and touches_inner_edge((inner[0], inner[1], inner[2], inner[3]), part):
        return None
    box = (part[0] + inner[0] * part[2], part[1] + inner[1] * part[3], inner[2] * part[2], inner[3] * part[3])
    return Finding(model=PART, group=GROUPS.get(label, label), label=label, score=score, box=box)


def _encode(picture: Picture, part: Box) -> tuple[bytes, int, int]:
    import cv2  # loaded only by processes that use such a server

    shown = crop(picture, part)
    is_encoded, jpeg = cv2.imencode(".jpg", shown[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not is_encoded:
        raise PermanentFailure("the picture cannot be encoded as JPEG")
    return jpeg.tobytes(), shown.shape[1], shown.shape[0]


def _form(fields: Mapping[str, str], jpeg: bytes) -> tuple[str, bytes]:
    """Content type and body of a form with a picture."""
    boundary = secrets.token_hex(16)
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="image"; filename="picture.jpg"\r\n'
        "Content-Type: image/jpeg\r\n\r\n"
    ).encode()
    body = b"".join((*parts, head, jpeg, f"\r\n--{boundary}--\r\n".encode()))
    return f"multipart/form-data; boundary={boundary}", body
