"""Model clients over HTTP: llama.cpp's `/completion` with our grammar, or an OpenAI-compatible API with a schema."""

import json
from datetime import timedelta
from typing import Any, Protocol

from sightline.http import HttpClient, ResponseTooLarge, check_status
from sightline.security.assessment.grammar import MAX_TOKENS, gbnf, response_schema
from sightline.security.assessment.model_response import InvalidModelResponse
from sightline.security.settings import SecuritySettings

MAX_RESPONSE_BYTES = 1024 * 1024
MAX_RETRY_AFTER = timedelta(seconds=60)


class Model(Protocol):
    name: str

    async def complete(self, prompt: str, *, min_score: int, max_score: int) -> str:
        """Returns the response text. `InvalidModelResponse` and other transient errors may be retried."""

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
        key = settings.model_api_key
        self._headers = {"content-type": "application/json"}
        if key is not None:
            self._headers["authorization"] = f"Bearer {key.get_secret_value()}"
        # A slot is held for the whole call, so the whole call has a time limit.
        self._http = HttpClient("model", timeout_s=settings.model_timeout_s, max_body_bytes=MAX_RESPONSE_BYTES)

    async def close(self) -> None:
        self._http.close()

    async def _post(self, body: dict[str, Any]) -> dict[str, Any]:
        try:
            response = await self._http.request(
                "POST", self._url, headers=self._headers, content=json.dumps(body).encode()
            )
        except ResponseTooLarge as error:
            raise InvalidModelResponse(error.message) from error
        check_status("model", response, url=self._url, max_retry_after=MAX_RETRY_AFTER)
        try:
            found = response.json()
        except (ValueError, RecursionError) as error:
            raise InvalidModelResponse(f"{self._url} answered no JSON: {response.text[:200]!r}") from error
        if not isinstance(found, dict):
            raise InvalidModelResponse(f"{self._url} answered no object")
        return found


class LlamaModel(_HttpModel):
    """The document's endpoint."""

    def __init__(self, settings: SecuritySettings, url: str) -> None:
        super().__init__(settings, url.rstrip("/") + "/completion")

    async def complete(self, prompt: str, *, min_score: int, max_score: int) -> str:
        response = await self._post(
            {
                "prompt": prompt,
                "grammar": gbnf(min_score, max_score),
                "n_predict": MAX_TOKENS,
                "temperature": 0.2,
                "repeat_penalty": 1.1,  # small models loop otherwise
                "cache_prompt": True,
            }
        )
        text = response.get("content")
        if not isinstance(text, str) or not text:
            raise InvalidModelResponse(f"{self._url} answered without content")
        if response.get("stop_type") == "limit" or response.get("stopped_limit"):
            raise InvalidModelResponse("the model's answer was cut off")
        return text


class OpenAiModel(_HttpModel):
    def __init__(self, settings: SecuritySettings, url: str) -> None:
        super().__init__(settings, url.rstrip("/") + "/chat/completions")

    async def complete(self, prompt: str, *, min_score: int, max_score: int) -> str:
        schema = {"name": "risk", "strict": True, "schema": response_schema(min_score, max_score)}
        response = await self._post(
            {
                "model": self.name,
                "messages": [{"role": "user", "content": prompt}],
                "temperature": 0.2,
                "max_tokens": MAX_TOKENS,
                "response_format": {"type": "json_schema", "json_schema": schema},
            }
        )
        try:
            choice = response["choices"][0]
            text = choice["message"]["content"]
        except (LookupError, TypeError) as error:
            raise InvalidModelResponse(
                f"{self._url} answered no chat completion: {json.dumps(response)[:200]}"
            ) from error
        if choice.get("finish_reason") in {"length", "content_filter"}:
            raise InvalidModelResponse(f"the model's answer was cut off: {choice['finish_reason']}")
        if not isinstance(text, str) or not text:
            raise InvalidModelResponse(f"{self._url} answered without content")
        return text
