"""Protocols of the AWS endpoint against botocore: what its serializer sends is read, what is written its parser reads."""

import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import botocore.session
import pytest
from botocore.parsers import create_parser
from botocore.serialize import create_serializer

from sightline.api.aws.call import AwsError
from sightline.api.aws.json_protocol import JsonProtocol, to_json
from sightline.api.aws.query_protocol import QueryProtocol
from sightline.api.aws.request import AwsRequest
from sightline.api.aws.wire import Answer, WireProtocol

SQS = JsonProtocol(version="1.0", namespace="com.amazonaws.sqs", has_times=False)
SQS_QUERY = QueryProtocol("http://queue.amazonaws.com/doc/2012-11-05/", is_flat=True)
SNS = QueryProtocol("http://sns.amazonaws.com/doc/2010-03-31/")
EVENTS = JsonProtocol(version="1.1", namespace="com.amazonaws.events")

_session = botocore.session.get_session()


def sent(service: str, action: str, parameters: dict[str, Any]) -> AwsRequest:
    """The request that botocore makes of the parameters."""
    model = _session.get_service_model(service)
    made = create_serializer(model.protocol).serialize_to_request(parameters, model.operation_model(action))
    body = made["body"]
    if isinstance(body, dict):
        body = urlencode(body).encode()
    headers = {name.lower(): value for name, value in made["headers"].items()}
    return AwsRequest(service, "POST", made["url_path"], "", headers, body, "http")


def parsed(service: str, action: str, answer: Answer) -> dict[str, Any]:
    model = _session.get_service_model(service)
    response = {
        "status_code": answer.status,
        "headers": {name.decode(): value.decode() for name, value in answer.headers},
        "body": answer.body,
    }
    shape = model.operation_model(action).output_shape
    found: dict[str, Any] = create_parser(model.protocol).parse(response, shape)
    found.pop("ResponseMetadata", None)
    return found


@pytest.mark.parametrize(
    ("protocol", "service", "action", "parameters"),
    [
        (
            SQS,
            "sqs",
            "SendMessage",
            {
                "QueueUrl": "http://127.0.0.1/000000000000/q",
                "MessageBody": "höher \U0001f600",
                "DelaySeconds": 3,
                "MessageAttributes": {"b": {"DataType": "Binary", "BinaryValue": b"\0\xff"}},
            },
        ),
        (
            SQS,
            "sqs",
            "SendMessageBatch",
            {
                "QueueUrl": "u",
                "Entries": [
                    {
                        "Id": "1",
                        "MessageBody": "x",
                        "MessageAttributes": {"b": {"DataType": "Binary", "BinaryValue": b"1"}},
                    }
                ],
            },
        ),
        (
            SNS,
            "sns",
            "Publish",
            {
                "TopicArn": "arn:aws:sns:us-east-1:000000000000:t",
                "Message": "a=b&c %20 é",
                "MessageAttributes": {
                    "event_type": {"DataType": "String", "StringValue": "bjj_event_detected"},
                    "raw": {"DataType": "Binary", "BinaryValue": b"\xfe"},
                },
            },
        ),
        (
            SNS,
            "sns",
            "PublishBatch",
            {
                "TopicArn": "t",
                "PublishBatchRequestEntries": [
                    {"Id": str(number), "Message": f"m{number}", "Subject": "s"} for number in range(1, 11)
                ],
            },
        ),
        (
            SNS,
            "sns",
            "Subscribe",
            {
                "TopicArn": "t",
                "Protocol": "sqs",
                "Endpoint": "arn:aws:sqs:us-east-1:000000000000:q",
                "Attributes": {"FilterPolicy": '{"a": ["b.c"]}', "RawMessageDelivery": "true"},
                "ReturnSubscriptionArn": True,
            },
        ),
        (SNS, "sns", "TagResource", {"ResourceArn": "t", "Tags": [{"Key": "a.b", "Value": "c"}]}),
        (
            EVENTS,
            "events",
            "PutRule",
            {"Name": "r", "EventPattern": '{"source": ["x"]}', "Tags": [{"Key": "k", "Value": "v"}]},
        ),
    ],
)
def test_what_botocore_sends_is_read(
    protocol: WireProtocol, service: str, action: str, parameters: dict[str, Any]
) -> None:
    assert protocol.read(sent(service, action, parameters)) == (action, parameters)


@pytest.mark.parametrize(
    ("protocol", "service", "action", "result"),
    [
        (
            SQS,
            "sqs",
            "ReceiveMessage",
            {
                "Messages": [
                    {
                        "MessageId": "m",
                        "ReceiptHandle": "r",
                        "MD5OfBody": "x",
                        "Body": '{"a": "ü"}',
                        "Attributes": {"SentTimestamp": "1"},
                        "MessageAttributes": {"b": {"DataType": "Binary", "BinaryValue": b"\0"}},
                    }
                ]
            },
        ),
        (SNS, "sns", "GetTopicAttributes", {"Attributes": {"TopicArn": "a", "Policy": '{"<&>": "\r\n"}'}}),
        (SNS, "sns", "ListTopics", {"Topics": [{"TopicArn": "a"}, {"TopicArn": "b"}], "NextToken": "n"}),
        (
            SNS,
            "sns",
            "PublishBatch",
            {
                "Successful": [{"Id": "1", "MessageId": "m"}],
                "Failed": [{"Id": "2", "Code": "InvalidParameter", "Message": "no", "SenderFault": True}],
            },
        ),
        (SNS, "sns", "ListTopics", {"Topics": []}),
        (
            EVENTS,
            "events",
            "DescribeReplay",
            {"ReplayName": "r", "ReplayStartTime": datetime(2026, 1, 17, 10, 0, 0, 500000, tzinfo=UTC)},
        ),
    ],
)
def test_what_is_written_botocore_reads(
    protocol: WireProtocol, service: str, action: str, result: dict[str, Any]
) -> None:
    assert parsed(service, action, protocol.write(action, result, "id-1")) == result


def test_older_clients_of_sqs_send_flat_lists_and_maps() -> None:
    body = (
        b"Action=SendMessageBatch&Version=2012-11-05&QueueUrl=http%3A%2F%2Fh%2F0%2Fq"
        b"&SendMessageBatchRequestEntry.1.Id=a&SendMessageBatchRequestEntry.1.MessageBody=one"
        b"&SendMessageBatchRequestEntry.1.DelaySeconds=2"
        b"&SendMessageBatchRequestEntry.1.MessageAttribute.1.Name=kind"
        b"&SendMessageBatchRequestEntry.1.MessageAttribute.1.Value.DataType=String"
        b"&SendMessageBatchRequestEntry.1.MessageAttribute.1.Value.StringValue=x"
        b"&SendMessageBatchRequestEntry.10.Id=j&SendMessageBatchRequestEntry.10.MessageBody=ten"
        b"&SendMessageBatchRequestEntry.2.Id=b&SendMessageBatchRequestEntry.2.MessageBody=two"
    )
    action, parameters = SQS_QUERY.read(AwsRequest("sqs", "POST", "/", "", {}, body, "http"))
    assert action == "SendMessageBatch"
    assert [entry["Id"] for entry in parameters["Entries"]] == ["a", "b", "j"]
    assert parameters["Entries"][0] == {
        "Id": "a",
        "MessageBody": "one",
        "DelaySeconds": 2,
        "MessageAttributes": {"kind": {"DataType": "String", "StringValue": "x"}},
    }


def test_attributes_of_a_queue_come_as_numbered_names_and_values() -> None:
    query = "Action=CreateQueue&QueueName=q&Attribute.1.Name=DelaySeconds&Attribute.1.Value=5&Tag.1.Key=a&Tag.1.Value=b"
    assert SQS_QUERY.read(AwsRequest("sqs", "GET", "/", query, {}, b"", "http")) == (
        "CreateQueue",
        {"QueueName": "q", "Attributes": {"DelaySeconds": "5"}, "Tags": {"a": "b"}},
    )


def test_older_clients_of_sqs_read_messages_as_repeated_elements() -> None:
    result = {"Messages": [{"MessageId": "m", "Body": "<&>", "Attributes": {"SenderId": "s"}}]}
    answer = SQS_QUERY.write("ReceiveMessage", result, "id-1")
    assert b"<Message><MessageId>m</MessageId><Body>&lt;&amp;&gt;</Body>" in answer.body
    assert (
        b"<Attribute><Name>SenderId</Name><Value>s</Value></Attribute></Message></ReceiveMessageResult>" in answer.body
    )


def test_errors_have_the_form_of_their_protocol() -> None:
    error = AwsError(
        "QueueDoesNotExist",
        "The specified queue does not exist.",
        query_code="AWS.SimpleQueueService.NonExistentQueue",
    )
    answer = SQS.error(error, "id-1")
    assert parsed("sqs", "GetQueueUrl", answer)["Error"]["Code"] == "AWS.SimpleQueueService.NonExistentQueue"
    assert (b"x-amzn-query-error", b"AWS.SimpleQueueService.NonExistentQueue;Sender") in answer.headers
    shown = parsed("sns", "Publish", SNS.error(AwsError("NotFound", "Topic does not exist", status=404), "id-1"))
    assert shown["Error"] == {"Type": "Sender", "Code": "NotFound", "Message": "Topic does not exist"}
    assert b"<Detail/>" in SQS_QUERY.error(error, "id-1").body


@pytest.mark.parametrize(
    "body",
    [
        b"Action=x&A=1&A.1=2",
        b"Action=x&A.1=2&A=1",
        b"Action=x&Attribute.x.Name=a",
        b"Action=x&DelaySeconds=many",
        b"Action=x&DelaySeconds=" + b"9" * 5000,
        b"Action=x&" + b"A." * 20 + b"B=1",
        b"\xff=1",
        b"Action=x&MessageAttribute.1.Name=n&MessageAttribute.1.Value.BinaryValue=*",
    ],
)
def test_a_form_that_contradicts_itself_is_refused(body: bytes) -> None:
    with pytest.raises(AwsError):
        SQS_QUERY.read(AwsRequest("sqs", "POST", "/", "", {}, body, "http"))


@pytest.mark.parametrize("body", [b"{", b"[]", b'"x"', b"[" * 100_000, b'{"a": \xff}'])
def test_a_body_that_is_no_json_object_is_refused(body: bytes) -> None:
    with pytest.raises(AwsError, match="body"):
        SQS.read(AwsRequest("sqs", "POST", "/", "", {"x-amz-target": "AmazonSQS.SendMessage"}, body, "http"))


@pytest.mark.req(521)
@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'{"MessageBody": "half \\ud800"}', "half \ud800"),
        ('{"MessageBody": "ä"}'.encode("utf-16"), "ä"),
        (b'{"MessageBody": "\\u00e4\\n"}', "ä\n"),
        (b'{"MessageBody": "first", "MessageBody": "last"}', "last"),
    ],
)
def test_a_body_is_read_as_python_reads_it(body: bytes, text: str) -> None:
    request = AwsRequest("sqs", "POST", "/", "", {"x-amz-target": "AmazonSQS.SendMessage"}, body, "http")
    assert SQS.read(request) == ("SendMessage", {"MessageBody": text})


@pytest.mark.req(521)
@pytest.mark.parametrize(
    "result",
    [
        {"Messages": [{"Body": 'ä"\\\n\x00 \U0001f600', "Attributes": {"SentTimestamp": "1"}}]},
        {"MessageAttributes": {"b": {"DataType": "Binary", "BinaryValue": b"\xff\xfe>>?"}}},
        {"half": "a character \ud800"},
        {"number": 2**70, "nothing": None, "list": [], "map": {}},
    ],
)
def test_results_of_sqs_are_written_as_those_of_other_services(result: dict[str, Any]) -> None:
    """Compared as what a client reads: the two writers escape differently."""
    body = SQS.write("ReceiveMessage", result, "id-1").body
    assert json.loads(body) == json.loads(to_json(result))
