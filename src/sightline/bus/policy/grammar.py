"""The policy grammar of the rule engine of AWS, which SNS and EventBridge share."""

from sightline.bus.policy.addresses import parse_address
from sightline.bus.policy.clauses import Branches, make_branch
from sightline.bus.policy.conditions import AnyOf, Condition, SameAddress
from sightline.bus.policy.dialect import Dialect, out_of_range
from sightline.bus.policy.json_complaints import Complaint
from sightline.bus.policy.json_tokens import JsonReader, Token
from sightline.bus.policy.leaves import NULL, NULL_IN_ARRAY
from sightline.bus.policy.operators import read_operator

__all__ = ["OR", "RESERVED_IN_OR", "read_branches"]

OR = "$or"

RESERVED_IN_OR = frozenset(
    (
        "exactly",
        "equals-ignore-case",
        "prefix",
        "suffix",
        "anything-but",
        "exists",
        "wildcard",
        "numeric",
        "cidr",
        "=",
        "<",
        "<=",
        ">",
        ">=",
        "regex",
        "not-wildcard",
        "not-equals-ignore-case",
        "date-after",
        "date-on-or-after",
        "date-before",
        "date-on-or-before",
        "in-date-range",
        "ip-address-in-range",
        "ip-address-not-in-range",
    )
)

_Fields = dict[str, list[Condition]]


def read_branches(text: str, dialect: Dialect, *, max_branches: int) -> Branches:
    """Raise a Complaint for text the engine refuses, and for more than `max_branches` branches."""
    return _Grammar(text, dialect, max_branches).read()


class _Grammar:
    def __init__(self, text: str, dialect: Dialect, max_branches: int) -> None:
        self._reader = JsonReader(text)
        self._dialect = dialect
        self._max_branches = max_branches
        self._path: list[str] = []
        self._branches: list[_Fields] = []

    def read(self) -> Branches:
        if self._reader.next() is not Token.START_OBJECT:
            self._reader.complain("Filter is not an object")
        self._object(inside_or=False)
        return tuple(dict.fromkeys(make_branch(fields) for fields in self._branches))

    def _object(self, *, inside_or: bool) -> None:
        reader, empty = self._reader, True
        while reader.next() is not Token.END_OBJECT:
            empty = False
            name = reader.name
            if name == OR:
                self._or()
                continue
            if inside_or and name in RESERVED_IN_OR:
                reader.complain(f"{name} is Ruler reserved fieldName which cannot be used inside {OR}.")
            token = reader.next()
            if token is Token.START_OBJECT:
                self._path.append(name)
                self._object(inside_or=inside_or)
                self._path.pop()
            elif token is Token.START_ARRAY:
                self._set(".".join([*self._path, name]), self._values())
            else:
                reader.complain(f'"{name}" must be an object or an array')
        if empty:
            reader.complain("Empty objects are not allowed")

    def _or(self) -> None:
        """Each alternative extends the branches read so far; a repeated key replaces the earlier one."""
        reader = self._reader
        before = self._branches or [{}]
        after: list[_Fields] = []
        if reader.next() is not Token.START_ARRAY:
            reader.complain(f"It must be an Array followed with {OR}.")
        alternatives = 0
        while (token := reader.next()) is not Token.END_ARRAY:
            alternatives += 1
            if token is not Token.START_OBJECT:
                reader.complain(f"Only JSON object is allowed in array of {OR} relationship.")
            self._branches = [dict(fields) for fields in before]
            self._object(inside_or=True)
            after += self._branches
            if len(after) > self._max_branches:
                raise Complaint(f"Rule is too complex - {OR} makes more than {self._max_branches} combinations")
        if alternatives < 2:
            reader.complain(f"There must have at least 2 Objects in {OR} relationship.")
        self._branches = after

    def _set(self, key: str, conditions: list[Condition]) -> None:
        if not self._branches:
            self._branches = [{}]
        for fields in self._branches:
            fields[key] = conditions

    def _values(self) -> list[Condition]:
        reader = self._reader
        conditions: list[Condition] = []
        while (token := reader.next()) is not Token.END_ARRAY:
            if token is Token.START_OBJECT:
                conditions.append(read_operator(reader, self._dialect))
            elif token is Token.STRING:
                conditions.append(_string(reader.text()))
            elif token.is_number:
                conditions.append(self._number(reader.text()))
            elif token is Token.NULL:
                conditions.append(AnyOf(frozenset({NULL, NULL_IN_ARRAY})))
            elif token in (Token.TRUE, Token.FALSE):
                conditions.append(AnyOf(frozenset({("l", token is Token.TRUE)})))
            else:
                reader.complain("Match value must be String, number, true, false, or null")
        if not conditions:
            reader.complain("Empty arrays are not allowed")
        return conditions

    def _number(self, text: str) -> Condition:
        leaf = self._dialect.numbers(text)
        # one compared by its spelling, such as an account number, may be of any size
        if not isinstance(leaf[1], str):
            complaint = out_of_range(text, self._dialect)
            if complaint is not None:
                self._reader.complain(complaint)
        return AnyOf(frozenset({leaf}))


def _string(text: str) -> Condition:
    address = parse_address(text)
    return AnyOf(frozenset({("s", text)})) if address is None else SameAddress(text, address)
