"""Connections and API destinations over the AWS endpoint, and the requests that rules make with them."""

import json
from typing import Any

import pytest

from sightline.bootstrap import Platform
from sightline.bus import EndpointDelivery
from sightline.http import HttpClient
from sightline.notifications.push.webhook_address import PrivateAddress
from sightline.notifications.topics.destination_sender import ApiDestinationSender
from support.aws_calls import aws_clients
from support.event_rig import ACCOUNT, Events, arn, delivering, error_of
from support.local_http import LocalHttp
from support.waiting import until

BASIC: dict[str, Any] = {
    "AuthorizationType": "BASIC",
    "AuthParameters": {
        "BasicAuthParameters": {"Username": "user", "Password": "hush-hush"},
        "InvocationHttpParameters": {
            "HeaderParameters": [{"Key": "x-team", "Value": "veiled-value", "IsValueSecret": True}]
        },
    },
}


@pytest.fixture
async def events(platform, serving):
    async with aws_clients(platform, serving) as clients, delivering(platform):
        yield Events(clients)


async def new_destination(events: Events, url: str, connection: dict[str, Any], name: str = "site") -> str:
    made = await events("create_connection", Name=name, **connection)
    found = await events(
        "create_api_destination",
        Name=name,
        ConnectionArn=made["ConnectionArn"],
        InvocationEndpoint=url,
        HttpMethod="POST",
    )
    return str(found["ApiDestinationArn"])


@pytest.mark.req(503)
async def test_the_life_of_a_connection_and_a_destination_without_showing_secrets(
    events: Events, platform: Platform, capsys
):
    made = await events("create_connection", Name="site", Description="d", **BASIC)
    assert (made["ConnectionState"], made["ConnectionArn"].startswith(arn("events", "connection/site/"))) == (
        "AUTHORIZED",
        True,
    )
    shown = await events("describe_connection", Name="site")
    assert shown["AuthParameters"] == {
        "BasicAuthParameters": {"Username": "user"},
        "InvocationHttpParameters": {"HeaderParameters": [{"Key": "x-team", "IsValueSecret": True}]},
    }
    key = {"ApiKeyAuthParameters": {"ApiKeyName": "x-key", "ApiKeyValue": "hush-hush"}}
    await events("update_connection", Name="site", AuthorizationType="API_KEY", AuthParameters=key)
    assert (await events("describe_connection", Name="site"))["AuthorizationType"] == "API_KEY"
    given = {"ConnectionArn": made["ConnectionArn"], "InvocationEndpoint": "https://example.com/", "HttpMethod": "POST"}
    await events("create_api_destination", Name="to", **given)
    await events("update_api_destination", Name="to", HttpMethod="PUT", Description="x")
    found = await events("describe_api_destination", Name="to")
    assert (found["HttpMethod"], found["InvocationRateLimitPerSecond"], found["Description"]) == ("PUT", 300, "x")
    assert [one["Name"] for one in (await events("list_api_destinations"))["ApiDestinations"]] == ["to"]
    listed = (await events("list_connections"))["Connections"]
    assert [(one["Name"], one["AuthorizationType"]) for one in listed] == [("site", "API_KEY")]
    async with platform.database.transaction() as tx:
        stored = await tx.fetchval(
            "SELECT to_jsonb(c)::text || encode(sealed_parameters, 'escape') FROM sightline.bus_connections c"
        )
    for text in (stored, json.dumps(shown, default=str), "".join(capsys.readouterr())):
        assert "hush" not in text
        assert "veiled" not in text
    await events("delete_api_destination", Name="to")
    assert (await events("delete_connection", Name="site"))["ConnectionState"] == "DELETING"
    assert (await error_of(events("describe_connection", Name="site")))[1] == (
        "Failed to describe the connection(s). Connection 'site' does not exist."
    )
    assert (await error_of(events("describe_api_destination", Name="to")))[1] == (
        "Failed to describe the api-destination(s). An api-destination 'to' does not exist."
    )
    code, message = await error_of(events("create_connection", Name="a b", AuthorizationType="X", AuthParameters=key))
    assert (code, message.startswith("2 validation errors detected: Value 'a b' at 'name'")) == (
        "ValidationException",
        True,
    )
    assert (await error_of(events("create_connection", Name="a", AuthorizationType="BASIC", AuthParameters=key)))[
        1
    ] == ("Parameter(s) AuthParameters.BasicAuthParameters must be specified.")
    assert (await error_of(events("create_api_destination", Name="to", **given)))[0] == "ResourceNotFoundException"


@pytest.mark.req(502)
async def test_a_rule_calls_a_web_address_with_its_authorization(events: Events, local_http: LocalHttp):
    destination = await new_destination(events, f"{local_http.url}/orders/*", BASIC)
    http = {"PathParameterValues": ["7"], "QueryStringParameters": {"a": "b"}}
    target = {"Arn": destination, "HttpParameters": http, "InputPath": "$.detail"}
    await events.rule("web", {"source": ["shop"]}, target)
    await events.put({"n": 1})
    await until(lambda: len(local_http.asked) == 1)
    assert local_http.asked == [("POST", "/orders/7?a=b")]
    assert json.loads(local_http.bodies[0]) == {"n": 1}
    assert "Authorization: Basic dXNlcjpodXNoLWh1c2g=" in local_http.heads[0]
    assert "x-team: veiled-value" in local_http.heads[0]


@pytest.mark.req(502)
async def test_a_token_is_fetched_once_and_used(events: Events, local_http: LocalHttp):
    oauth = {
        "AuthorizationEndpoint": f"{local_http.url}/token",
        "HttpMethod": "POST",
        "ClientParameters": {"ClientID": "id", "ClientSecret": "secret"},
    }
    connection = {"AuthorizationType": "OAUTH_CLIENT_CREDENTIALS", "AuthParameters": {"OAuthParameters": oauth}}
    local_http.answer = {"access_token": "tok", "expires_in": 600}
    destination = await new_destination(events, f"{local_http.url}/in", connection)
    assert (await events("describe_connection", Name="site"))["ConnectionState"] == "AUTHORIZING"
    assert (await events("describe_api_destination", Name="site"))["ApiDestinationState"] == "INACTIVE"
    await events.rule("web", {"source": ["shop"]}, {"Arn": destination})
    await events.put({"n": 1})
    await until(lambda: len(local_http.asked) == 2)
    await events.put({"n": 2})
    await until(lambda: len(local_http.asked) == 3)
    assert local_http.asked == [("POST", "/token"), ("POST", "/in"), ("POST", "/in")]
    assert all("Authorization: Bearer tok" in head for head in local_http.heads[1:])
    assert (await events("describe_connection", Name="site"))["ConnectionState"] == "AUTHORIZED"
    assert (await events("describe_api_destination", Name="site"))["ApiDestinationState"] == "ACTIVE"


@pytest.mark.req(493)
async def test_a_web_address_that_fails_uses_up_its_retries_and_then_the_dead_letters(
    events: Events, local_http: LocalHttp
):
    destination = await new_destination(events, local_http.url, BASIC)
    local_http.status = 500
    dead = {"DeadLetterConfig": {"Arn": await events.queue("dead")}, "RetryPolicy": {"MaximumRetryAttempts": 1}}
    await events.rule("web", {"source": ["shop"]}, {"Arn": destination, **dead})
    await events.put({"n": 1})
    letter = await events.arrival("dead", MessageAttributeNames=["All"])
    told = {key: value["StringValue"] for key, value in letter["MessageAttributes"].items()}
    assert len(local_http.asked) == 2
    assert (told["EXHAUSTED_RETRY_CONDITION"], told["RETRY_ATTEMPTS"]) == ("MaximumRetryAttempts", "1")
    assert (told["ERROR_CODE"], told["TARGET_ARN"]) == ("ERROR_FROM_TARGET", destination)
    assert "hush" not in json.dumps(letter)


@pytest.mark.req(502)
async def test_private_addresses_are_not_called_for_accounts_that_are_not_trusted(
    events: Events, platform: Platform, local_http: LocalHttp
):
    destination = await new_destination(events, local_http.url, BASIC)
    sender = ApiDestinationSender(
        HttpClient("endpoint", timeout_s=5), platform.database, platform.sealing, trusted_account=None
    )
    record = EndpointDelivery("events:api-destination", destination, ACCOUNT, "rule", "m", "{}")
    with pytest.raises(PrivateAddress):
        await sender.send(record)
    assert local_http.asked == []
