"""The search through arrays finds what trying every way one by one finds."""

import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.bus import PolicyInvalid, compile_event_pattern
from sightline.bus.policy.clauses import Branch
from sightline.bus.policy.flatten import ArrayPath, Fields, flatten_event
from sightline.bus.policy.match import branch_matches
from support.policy_strategies import LISTS, VALUES

PATTERNS = st.dictionaries(
    st.sampled_from("abc"),
    LISTS | st.dictionaries(st.sampled_from("abce"), LISTS, min_size=1, max_size=3),
    min_size=1,
    max_size=3,
)
ELEMENTS = st.dictionaries(st.sampled_from("abce"), VALUES, max_size=3)
EVENTS = st.dictionaries(st.sampled_from("abc"), VALUES | st.lists(ELEMENTS, max_size=3), max_size=3)


def consistent(chosen: dict[int, int], path: ArrayPath) -> bool:
    return all(chosen.get(array, index) == index for array, index in path)


def some_way(branch: Branch, fields: Fields, chosen: dict[int, int]) -> bool:
    if not branch:
        return True
    clause, rest = branch[0], branch[1:]
    leaves = fields.leaves.get(clause.key, [])
    paths = fields.paths.get(clause.key) or [()] * len(leaves)
    open_to = [(leaf, path) for leaf, path in zip(leaves, paths, strict=True) if consistent(chosen, path)]
    if clause.allows_absence and not open_to and some_way(rest, fields, chosen):
        return True
    return any(clause.accepts(leaf) and some_way(rest, fields, {**chosen, **dict(path)}) for leaf, path in open_to)


@settings(max_examples=500 if os.environ.get("SIGHTLINETEST_SOAK") else 120)
@given(PATTERNS, EVENTS)
def test_the_search_agrees_with_trying_every_combination(pattern: dict[str, Any], event: dict[str, Any]) -> None:
    try:
        branches = compile_event_pattern(pattern).branches
    except PolicyInvalid:
        return
    fields = flatten_event(event)
    for branch in branches:
        assert branch_matches(branch, fields) is some_way(branch, fields, {})
