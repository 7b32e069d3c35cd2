"""The grammar that makes a model's answer valid by construction, and the schema for servers that take one instead. Pure.

llama.cpp's own translation of a JSON schema lets whitespace run on until the answer is cut off, and others ignore the limits of
numbers; a grammar of ours allows exactly what `parse_response` takes.
"""

from typing import Any

SUMMARY_LENGTH = (10, 120)
REASONING_LENGTH = (20, 240)
MAX_TOKENS = 450
"""More than the longest answer has characters: not even a model that loops is cut off, unless it loops in rare letters."""


def score_rule(min_score: int, max_score: int) -> str:
    """The whole numbers from one to the other, as alternatives."""
    if (min_score, max_score) == (0, 100):
        return '"100" | [1-9] [0-9] | [0-9]'
    return " | ".join(f'"{number}"' for number in range(min_score, max_score + 1))


def gbnf(min_score: int = 0, max_score: int = 100) -> str:
    """One line of JSON without any whitespace but in texts, which hold no quotes, backslashes or control characters."""
    shortest, longest = SUMMARY_LENGTH
    briefest, wordiest = REASONING_LENGTH
    return "\n".join(
        (
            r'root ::= "{\"risk_score\":" score ",\"summary\":\"" summary "\",\"reasoning\":\"" reasoning "\"}"',
            f"score ::= {score_rule(min_score, max_score)}",
            f"summary ::= char{{{shortest},{longest}}}",
            f"reasoning ::= char{{{briefest},{wordiest}}}",
            r'char ::= [^"\\\x00-\x1F\x7F]',
        )
    )


def response_schema(min_score: int = 0, max_score: int = 100) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["risk_score", "summary", "reasoning"],
        "properties": {
            "risk_score": {"type": "integer", "minimum": min_score, "maximum": max_score},
            "summary": {"type": "string"},
            "reasoning": {"type": "string"},
        },
    }
