"""SNS filter policies and EventBridge event patterns: compiled once, matched by an index, with the error messages of AWS."""

from sightline.bus.policy.errors import PolicyInvalid
from sightline.bus.policy.explain import Explanation, explain, explain_event
from sightline.bus.policy.flatten import Attribute
from sightline.bus.policy.index import PatternIndex, PolicyIndex
from sightline.bus.policy.leaves import NumberText
from sightline.bus.policy.policy import EventPattern, FilterPolicy, compile_event_pattern, compile_filter_policy
from sightline.bus.policy.sns_rules import Scope
from sightline.bus.policy.vectors import format_vector_report, run_vector, run_vectors

__all__ = [
    "Attribute",
    "EventPattern",
    "Explanation",
    "FilterPolicy",
    "NumberText",
    "PatternIndex",
    "PolicyIndex",
    "PolicyInvalid",
    "Scope",
    "compile_event_pattern",
    "compile_filter_policy",
    "explain",
    "explain_event",
    "format_vector_report",
    "run_vector",
    "run_vectors",
]
