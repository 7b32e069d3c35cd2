"""Presets of common servers with an OpenAI-compatible chat API: addresses, and what each expects of a request. Pure data."""

from dataclasses import dataclass
from typing import Literal

ServerName = Literal["ollama", "lm-studio", "vllm", "llama-cpp", "openai", "openrouter", "gemini", "mistral", "groq"]


@dataclass(frozen=True, slots=True)
class ModelServer:
    label: str
    url: str
    needs_key: bool = False
    needs_model_name: bool = True
    """Whether a request has to name one of several models."""
    limit_field: str = "max_tokens"
    """How the longest response is called."""
    takes_temperature: bool = True


CUSTOM_SERVER = ModelServer("custom", "", needs_model_name=False)
"""Any other server: only its address is known."""

MODEL_SERVERS: dict[ServerName, ModelServer] = {
    "ollama": ModelServer("Ollama", "http://127.0.0.1:11434/v1"),
    "lm-studio": ModelServer("LM Studio", "http://127.0.0.1:1234/v1"),
    "vllm": ModelServer("vLLM", "http://127.0.0.1:8000/v1"),
    "llama-cpp": ModelServer("llama.cpp", "http://127.0.0.1:8080/v1", needs_model_name=False),
    # Its newer models refuse `max_tokens`, and every temperature but their own.
    "openai": ModelServer(
        "OpenAI",
        "https://api.openai.com/v1",
        needs_key=True,
        limit_field="max_completion_tokens",
        takes_temperature=False,
    ),
    "openrouter": ModelServer("OpenRouter", "https://openrouter.ai/api/v1", needs_key=True),
    "gemini": ModelServer("Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", needs_key=True),
    "mistral": ModelServer("Mistral", "https://api.mistral.ai/v1", needs_key=True),
    "groq": ModelServer("Groq", "https://api.groq.com/openai/v1", needs_key=True),
}
