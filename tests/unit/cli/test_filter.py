"""`sightline filter`: what it prints and how it ends."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sightline.cli import app

VECTORS = Path(__file__).resolve().parents[2] / "vectors"
RUGBY = '{"interest": ["rugby", "tennis"], "price": [{"numeric": [">=", 100]}]}'


def run(*arguments: str, stdin: str | None = None) -> tuple[int, str]:
    answer = CliRunner().invoke(app, ["filter", *arguments], input=stdin)
    return answer.exit_code, answer.output.strip()


@pytest.mark.req(27)
@pytest.mark.parametrize(
    ("policy", "message", "code", "said"),
    [
        (RUGBY, {"interest": "rugby", "price": 100}, 0, "match: "),
        (RUGBY, {"interest": "tennis", "price": 100.5}, 0, "match: "),  # values of one key are alternatives
        (RUGBY, {"interest": "rugby", "price": 99}, 1, "no match: price: is 99, but must be >= 100"),  # keys are not
        (RUGBY, {"interest": "rugby"}, 1, "no match: price: is absent"),
        ('{"a": [{"exists": false}]}', {"b": "x"}, 0, "match: a: is absent"),
        ('{"a": [{"exists": true}]}', {"b": "x"}, 1, "no match: a: is absent"),
        ('{"a": ["x"]}', {}, 1, "no match: the message has no attributes"),
        ("{}", {"a": "x"}, 0, "match: the policy is empty"),
    ],
)
def test_the_key_that_decided_is_named(policy: str, message: object, code: int, said: str):
    found, output = run("test", policy, json.dumps(message))
    assert (found, output[: len(said)]) == (code, said)


@pytest.mark.parametrize(
    "message",
    [
        '{"interest": "rugby", "price": 100}',
        '{"interest": ["golf", "rugby"], "price": 1e2}',
        '{"interest": {"Type": "String.Array", "Value": ["rugby"]}, "price": {"Type": "Number", "Value": "100"}}',
        '{"interest": {"DataType": "String", "StringValue": "rugby"}, "price": {"Type": "Number", "Value": 100}}',
        '{"attributes": {"interest": "rugby", "price": {"Type": "Number", "Value": "100"}}, "body": "anything"}',
        '{"attributes": {"interest": "rugby", "price": 100}}',
    ],
)
def test_attributes_may_be_spelled_in_any_of_these_ways(message: str):
    assert run("test", RUGBY, message)[0] == 0


def test_numbers_keep_every_digit_they_were_given():
    policy = '{"a": [{"numeric": ["=", 0.1234567]}]}'
    assert run("test", '{"a": [123456789012345678901234567890]}', '{"a": [123456789012345678901234567890]}')[0] == 0
    assert run("test", policy, '{"a": 0.1234568}')[0] == 0  # SNS compares six digits


@pytest.mark.parametrize(
    "message",
    [
        '{"d": {"x": "y"}}',
        '{"attributes": {}, "body": {"d": {"x": "y"}}}',
        json.dumps({"attributes": {}, "body": '{"d": {"x": "y"}}'}),
    ],
)
def test_a_policy_on_the_body(message: str):
    assert run("test", '{"d": {"x": ["y"]}}', message, "--scope", "MessageBody")[0] == 0


def test_a_body_that_is_no_json_is_no_match():
    code, output = run("test", '{"d": ["x"]}', "plain text", "--scope", "MessageBody")
    assert (code, output) == (1, "no match: the body is not a JSON object")


def test_an_event_pattern():
    pattern = '{"source": ["aws.s3"], "detail": {"size": [{"numeric": [">", 10]}]}}'
    assert run("test", pattern, '{"source": "aws.s3", "detail": {"size": 11}}', "--event")[0] == 0
    code, output = run("test", pattern, '{"source": "aws.s3", "detail": {"size": 9}}', "--event")
    assert (code, output) == (1, "no match: detail.size: is 9, but must be > 10")


@pytest.mark.req(27)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (('{"a": "x"}', "{}"), 'Invalid parameter: Attributes Reason: FilterPolicy: "a" must be an object or an array'),
        (('{"a": [{"like": "x"}]}', "{}"), "Unrecognized match type like"),
        (('{"a": "x"}', "{}", "--event"), "Event pattern is not valid"),
        (('{"a": ["x"]}', "{"), "the message is not JSON"),
        (('{"a": ["x"]}', "[]"), "the message is not a JSON object"),
        (('{"a": ["x"]}', "[]", "--event"), "the event is not a JSON object"),
        (('{"a": ["x"]}', '{"a": NaN}'), "NaN is no number"),
        (('{"a": ["x"]}', '{"a": true}'), "the message attribute 'a' is neither a text, a number nor a list"),
        (('{"a": ["x"]}', '{"a b": "x"}'), "The message attribute name 'a b' is invalid."),
        (
            ('{"a": ["x"]}', '{"a": ""}'),
            "Message (user) attribute 'a' must contain a non-empty value of type 'String'.",
        ),
        (('{"a": ["x"]}', '{"a": {"Type": "Date", "Value": "x"}}'), "has an invalid message attribute type"),
        (("@/no/such/file", "{}"), "cannot read /no/such/file: No such file or directory"),
        (("-", "-"), "not both"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_reason(arguments: tuple[str, ...], said: str):
    code, output = run("test", *arguments)
    assert code == 2
    assert said in output


def test_policy_and_message_come_from_a_file_and_from_standard_input(tmp_path: Path):
    (tmp_path / "policy.json").write_text(RUGBY + "\n")
    given = '{"interest": "rugby", "price": 100}\n'
    assert run("test", f"@{tmp_path / 'policy.json'}", "-", stdin=given)[0] == 0
    (tmp_path / "policy.json").write_bytes(b"\xff")
    assert run("test", f"@{tmp_path / 'policy.json'}", "{}") == (
        2,
        f"sightline: cannot read {tmp_path / 'policy.json'}: it is not UTF-8",
    )


@pytest.mark.req(27)
def test_the_engine_agrees_with_every_vector():
    code, output = run("vectors", str(VECTORS / "filter_policies.json"), str(VECTORS / "policy_validation.json"))
    assert code == 0
    count = sum(
        len(json.loads((VECTORS / f"{name}.json").read_text())) for name in ("filter_policies", "policy_validation")
    )
    assert output == f"{count} of {count} agree"


def test_each_disagreement_is_printed(tmp_path: Path):
    rows = [
        {"id": "good", "scope": "MessageAttributes", "policy": {"a": ["x"]}, "valid": True},
        {"id": "off", "scope": "MessageBody", "policy": {"a": ["x"]}, "body": {"a": "x"}, "expected": False},
        {"id": "strange"},
    ]
    file = tmp_path / "rows.json"
    file.write_text(json.dumps(rows))
    code, output = run("vectors", str(file))
    assert code == 1
    first, second, last = output.splitlines()
    assert first == f"{file}: off: expected no match, got match"
    assert "strange" in second
    assert last == "1 of 3 agree"


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot read"), ("{", "is not JSON"), ("{}", "no list of rows"), ("[]", "no list of rows")],
)
def test_files_that_hold_no_rows_are_refused(tmp_path: Path, content: str | None, said: str):
    file = tmp_path / "rows.json"
    if content is not None:
        file.write_text(content)
    code, output = run("vectors", str(file))
    assert (code, said in output, str(file) in output) == (2, True, True)


def test_rows_of_another_kind_are_refused():
    code, output = run("vectors", str(VECTORS / "queue_behaviours.json"))
    assert code == 2
    assert (
        'queue_behaviours.json holds no rows of policies: none has "expected" (a match) or "valid" (a policy)' in output
    )
