"""Client of an OpenAI-compatible chat API, which classifies failures by whether a retry may help."""

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx

from sightline.errors import BackendUnavailable, PermanentFailure, Throttled
from sightline.techniques.analyzers.vision_prompt import InvalidTechniqueResponse, response_schema
from sightline.techniques.settings import TechniquesSettings

MAX_RETRY_AFTER_S = 120.0
MAX_RESPONSE_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ChatCompletion:
    """The text that the model returned, and the tokens it used."""

    text: str
    prompt_tokens: int
    completion_tokens: int


class UnusableCompletion(InvalidTechniqueResponse):
    """A response that cannot be used, although its tokens were spent."""

    def __init__(self, message: str, prompt_tokens: int, completion_tokens: int) -> None:
        super().__init__(message)
        self.prompt_tokens = prompt_tokens
        self.completion_tokens = completion_tokens


class ChatClient:
    """Open it with `async with`."""

    def __init__(self, settings: TechniquesSettings, url: str) -> None:
        self._settings = settings
        self._url = url.rstrip("/") + "/chat/completions"
        key = settings.model_api_key
        headers = {} if key is None else {"authorization": f"Bearer {key.get_secret_value()}"}
        self._http = httpx.AsyncClient(timeout=settings.model_timeout_s, headers=headers, trust_env=False)

    async def __aenter__(self) -> "ChatClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def complete(self, messages: list[dict[str, Any]]) -> ChatCompletion:
        """Raises `InvalidTechniqueResponse` if another attempt may help, and errors of the error tree otherwise."""
        request = {
            "model": self._settings.model_name,
            "messages": messages,
            "temperature": 0,
            "max_tokens": self._settings.model_max_tokens,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "techniques", "strict": True, "schema": response_schema()},
            },
        }
        try:
            response = await self._http.post(self._url, json=request)
        except httpx.TimeoutException as error:
            limit = self._settings.model_timeout_s
            raise BackendUnavailable("model", f"{self._url} did not respond within {limit:g} s") from error
        except httpx.HTTPError as error:
            reason = str(error) or type(error).__name__
            raise BackendUnavailable("model", f"{self._url} cannot be reached: {reason}") from error
        self._check_status(response)
        return _parse_completion(response)

    def _check_status(self, response: httpx.Response) -> None:
        status = response.status_code
        if status == 429:
            pause = timedelta(seconds=_retry_after_s(response.headers.get("retry-after")))
            raise Throttled(f"{self._url}: rate limit reached", retry_after=pause)
        if status >= 500 or status == 408:
            raise BackendUnavailable("model", f"{self._url} responded with {status}: {response.text[:300]}")
        if status != 200:
            raise PermanentFailure(f"{self._url} rejected the request with {status}: {response.text[:300]}")


def _retry_after_s(text: str | None) -> float:
    """The seconds that the server asks for; 1 for a date or a missing header."""
    try:
        return min(max(float(text or ""), 0.0), MAX_RETRY_AFTER_S)
    except ValueError:
        return 1.0


def _parse_completion(response: httpx.Response) -> ChatCompletion:
    if len(response.content) > MAX_RESPONSE_BYTES:
        raise InvalidTechniqueResponse(f"the response is too large: {len(response.content)} bytes")
    try:
        body = response.json()
        choice = body["choices"][0]
        message = choice["message"]
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError, LookupError, TypeError) as error:
        raise InvalidTechniqueResponse(f"not a chat completion: {response.text[:200]}") from error
    usage = body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    tokens = (_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))
    if not isinstance(message, dict):
        raise UnusableCompletion("the message is not an object", *tokens)
    if refusal := message.get("refusal"):
        raise UnusableCompletion(f"the model refused: {str(refusal)[:200]}", *tokens)
    if choice.get("finish_reason") in {"length", "content_filter"}:
        raise UnusableCompletion(f"the response was cut off: {choice['finish_reason']}", *tokens)
    text = message.get("content")
    if not isinstance(text, str) or not text.strip():
        raise UnusableCompletion("the response is empty", *tokens)
    return ChatCompletion(text, *tokens)


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
