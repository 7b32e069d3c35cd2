"""Metrics of model calls: outcomes, tokens and cost."""

from weakref import WeakKeyDictionary

from prometheus_client import CollectorRegistry, Counter

_of: "WeakKeyDictionary[CollectorRegistry, ModelMetrics]" = WeakKeyDictionary()


class ModelMetrics:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        self.calls = Counter(
            "sightline_techniques_model_calls_total",
            "Calls of the model, by outcome.",
            ["outcome"],
            registry=registry,
        )
        self.tokens = Counter(
            "sightline_techniques_model_tokens_total", "Tokens of prompts and completions.", ["kind"], registry=registry
        )
        self.cost = Counter(
            "sightline_techniques_model_cost_total", "Cost of tokens, by the prices in the settings.", registry=registry
        )

    @classmethod
    def of(cls, registry: CollectorRegistry | None) -> "ModelMetrics":
        """Analyzers are built for each job, their counters once for each registry."""
        if registry is None:
            return cls(None)
        if registry not in _of:
            _of[registry] = cls(registry)
        return _of[registry]

    def add_usage(self, prompt_tokens: int, completion_tokens: int, cost: float) -> None:
        self.tokens.labels("prompt").inc(prompt_tokens)
        self.tokens.labels("completion").inc(completion_tokens)
        self.cost.inc(cost)
