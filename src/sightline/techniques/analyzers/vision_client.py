"""Client of an OpenAI-compatible chat API, which classifies failures by whether a retry may help."""

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sightline.http import HttpClient, HttpResponse, ResponseTooLarge, check_status
from sightline.techniques.analyzers.vision_prompt import InvalidTechniqueResponse, response_schema
from sightline.techniques.settings import TechniquesSettings

MAX_RETRY_AFTER = timedelta(seconds=120)
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
        self._headers = {"content-type": "application/json"}
        if key is not None:
            self._headers["authorization"] = f"Bearer {key.get_secret_value()}"
        self._http = HttpClient("model", timeout_s=settings.model_timeout_s, max_body_bytes=MAX_RESPONSE_BYTES)

    async def __aenter__(self) -> "ChatClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        self._http.close()

    async def complete(self, messages: list[dict[str, Any]]) -> ChatCompletion:
        """Raises `InvalidTechniqueResponse` if another attempt may help, and errors of the error tree otherwise."""
        server = self._settings.server
        request: dict[str, Any] = {
            "model": self._settings.model_name,
            "messages": messages,
            server.limit_field: self._settings.model_max_tokens,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "techniques", "strict": True, "schema": response_schema()},
            },
        }
        if server.takes_temperature:
            request["temperature"] = 0
        try:
            response = await self._http.request(
                "POST", self._url, headers=self._headers, content=json.dumps(request).encode()
            )
        except ResponseTooLarge as error:
            raise InvalidTechniqueResponse(error.message) from error
        check_status("model", response, url=self._url, max_retry_after=MAX_RETRY_AFTER)
        return _parse_completion(response)


def _parse_completion(response: HttpResponse) -> ChatCompletion:
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
