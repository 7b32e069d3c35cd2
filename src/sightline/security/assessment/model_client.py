"""Asks a model over HTTP: llama.cpp's `/completion` with our grammar, or an OpenAI-compatible API with a schema."""

import asyncio
import json
from datetime import timedelta
from typing import Any, Protocol

import httpx

from sightline.errors import BackendUnavailable, PermanentFailure, Throttled
from sightline.security.assessment.grammar import MOST_TOKENS, answer_schema, gbnf
from sightline.security.assessment.prompt import BadAnswer
from sightline.security.settings import SecuritySettings

LARGEST_ANSWER = 1024 * 1024
LONGEST_PAUSE_S = 60.0


class Model(Protocol):
    name: str

    async def ask(self, question: str, *, least: int, most: int) -> str:
        """The answer's text. `BadAnswer` and other transient errors are worth another try."""

    async def close(self) -> None: ...


def open_model(settings: SecuritySettings) -> Model | None:
    """The configured model, or None: the rules assess."""
    if settings.model_url is None:
        return None
    match settings.model_api:
        case "llama.cpp":
            return LlamaModel(settings, settings.model_url)
        case "openai":
            return OpenAiModel(settings, settings.model_url)


class _HttpModel:
    def __init__(self, settings: SecuritySettings, url: str) -> None:
        self.name = settings.model_name
        self._url = url
        self._timeout_s = settings.model_timeout_s
        key = settings.model_api_key
        headers = {} if key is None else {"authorization": f"Bearer {key.get_secret_value()}"}
        self._http = httpx.AsyncClient(timeout=settings.model_timeout_s, headers=headers, trust_env=False)

    async def close(self) -> None:
        await self._http.aclose()

    async def _post(self, body: dict[str, Any]) -> dict[str, Any]:
        try:
            # The client's own timeout is for each piece of an answer; a slot is held for the whole.
            async with asyncio.timeout(self._timeout_s):
                response = await self._http.post(self._url, json=body)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise BackendUnavailable("model", f"{self._url} did not answer within {self._timeout_s:g} s") from error
        except httpx.HTTPError as error:
            reason = str(error) or type(error).__name__
            raise BackendUnavailable("model", f"{self._url} cannot be reached: {reason}") from error
        _check_status(self._url, response)
        if len(response.content) > LARGEST_ANSWER:
            raise BadAnswer(f"the model's answer has {len(response.content)} bytes")
        try:
            found = response.json()
        except (ValueError, RecursionError) as error:
            raise BadAnswer(f"{self._url} answered no JSON: {response.text[:200]!r}") from error
        if not isinstance(found, dict):
            raise BadAnswer(f"{self._url} answered no object")
        return found


class LlamaModel(_HttpModel):
    """The document's endpoint."""

    def __init__(self, settings: SecuritySettings, url: str) -> None:
        super().__init__(settings, url.rstrip("/") + "/completion")

    async def ask(self, question: str, *, least: int, most: int) -> str:
        answer = await self._post(
            {
                "prompt": question,
                "grammar": gbnf(least, most),
                "n_predict": MOST_TOKENS,
                "temperature": 0.2,
                "repeat_penalty": 1.1,  # small models loop otherwise
                "cache_prompt": True,
            }
        )
        text = answer.get("content")
        if not isinstance(text, str) or not text:
            raise BadAnswer(f"{self._url} answered without content")
        if answer.get("stop_type") == "limit" or answer.get("stopped_limit"):
            raise BadAnswer("the model's answer was cut off")
        return text


class OpenAiModel(_HttpModel):
    def __init__(self, settings: SecuritySettings, url: str) -> None:
        super().__init__(settings, url.rstrip("/") + "/chat/completions")

    async def ask(self, question: str, *, least: int, most: int) -> str:
        schema = {"name": "risk", "strict": True, "schema": answer_schema(least, most)}
        answer = await self._post(
            {
                "model": self.name,
                "messages": [{"role": "user", "content": question}],
                "temperature": 0.2,
                "max_tokens": MOST_TOKENS,
                "response_format": {"type": "json_schema", "json_schema": schema},
            }
        )
        try:
            choice = answer["choices"][0]
            text = choice["message"]["content"]
        except (LookupError, TypeError) as error:
            raise BadAnswer(f"{self._url} answered no chat completion: {json.dumps(answer)[:200]}") from error
        if choice.get("finish_reason") in {"length", "content_filter"}:
            raise BadAnswer(f"the model's answer was cut off: {choice['finish_reason']}")
        if not isinstance(text, str) or not text:
            raise BadAnswer(f"{self._url} answered without content")
        return text


def _check_status(url: str, response: httpx.Response) -> None:
    status = response.status_code
    if status == 429:
        raise Throttled(f"{url} is asked too often", retry_after=timedelta(seconds=_pause_s(response)))
    if status >= 500 or status == 408:
        raise BackendUnavailable("model", f"{url} answered {status}: {response.text[:200]}")
    if status != 200:
        raise PermanentFailure(f"{url} refused the question with {status}: {response.text[:200]}")


def _pause_s(response: httpx.Response) -> float:
    """Servers say seconds; those that say a date, or nothing, are given a moment."""
    try:
        return min(max(float(response.headers.get("retry-after", "")), 0.0), LONGEST_PAUSE_S)
    except ValueError:
        return 1.0
