"""Hypothesis strategies for policies and the messages they are tried on."""

import json

from hypothesis import strategies as st

from sightline.bus import Attribute

KEYS = st.sampled_from(["a", "b", "c", "d.e"])
TEXTS = st.sampled_from(["", "x", "X", "xy", "yx", "xyx", "ß", "SS", "10.0.0.1", "10.0.0.200", "::1", "1"])
NUMBERS = st.sampled_from([0, 1, 1.5, -2, 100, 1e2, 4.999999, 7_000_000_000, 0.1])
SCALARS = st.one_of(TEXTS, NUMBERS, st.booleans(), st.none())
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abce"), inner, max_size=3),
    max_leaves=6,
)
RANGES = st.tuples(st.sampled_from([">", ">="]), st.integers(-3, 4), st.sampled_from(["<", "<="])).map(
    lambda ends: [ends[0], ends[1], ends[2], ends[1] + 2]
)
OPERATORS = st.one_of(
    TEXTS.map(lambda text: {"prefix": text}),
    TEXTS.map(lambda text: {"suffix": text}),
    TEXTS.map(lambda text: {"equals-ignore-case": text}),
    TEXTS.map(lambda text: {"anything-but": [text]}),
    TEXTS.filter(bool).map(lambda text: {"anything-but": {"prefix": text}}),
    st.sampled_from(["*", "x*", "*x", "*y*", "xy"]).map(lambda text: {"wildcard": text}),
    st.sampled_from(["10.0.0.0/24", "10.0.0.128/25", "::/0", "0.0.0.0/0"]).map(lambda text: {"cidr": text}),
    st.booleans().map(lambda exists: {"exists": exists}),
    RANGES.map(lambda numeric: {"numeric": numeric}),
    st.tuples(st.sampled_from(["<", ">=", "="]), NUMBERS.filter(lambda number: number < 1e9)).map(
        lambda pair: {"numeric": list(pair)}
    ),
)
LISTS = st.lists(SCALARS | OPERATORS, min_size=1, max_size=3)
FLAT = st.dictionaries(KEYS, LISTS, min_size=1, max_size=3)
ALTERNATIVES = st.tuples(FLAT, st.lists(FLAT, min_size=2, max_size=2)).map(lambda parts: {**parts[0], "$or": parts[1]})
NESTED = st.dictionaries(st.sampled_from("abcd"), LISTS | st.dictionaries(st.sampled_from("abce"), LISTS, min_size=1))
POLICIES = st.one_of(FLAT, ALTERNATIVES, NESTED.filter(bool))
ATTRIBUTES = st.dictionaries(
    KEYS,
    st.one_of(
        TEXTS.map(lambda text: Attribute("String", text)),
        NUMBERS.map(lambda number: Attribute("Number", str(number))),
        st.lists(SCALARS, max_size=3).map(lambda values: Attribute("String.Array", json.dumps(values))),
        st.sampled_from([Attribute("Binary", b"x"), Attribute("String.Array", "not json")]),
    ),
    max_size=4,
)
BODIES = st.dictionaries(st.sampled_from(["a", "b", "c", "d", "d.e"]), VALUES, max_size=4)
