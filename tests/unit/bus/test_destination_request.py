"""Requests to API destinations."""

import base64
import json
from urllib.parse import parse_qs

import pytest

from sightline.bus import Sealing, TargetFailure, destination_request, token_request, with_token, without_secrets
from sightline.errors import PermanentFailure

BASIC = {"BasicAuthParameters": {"Username": "u", "Password": "p:w"}}
INVOCATION = {
    "HeaderParameters": [{"Key": "x-team", "Value": "a"}, {"Key": "x-secret", "Value": "s", "IsValueSecret": True}],
    "QueryStringParameters": [{"Key": "q", "Value": "1 2"}],
    "BodyParameters": [{"Key": "added", "Value": "yes"}],
}


@pytest.mark.req(502)
def test_a_request_has_the_parameters_of_its_connection_and_its_target():
    http = {
        "PathParameterValues": ["a/b"],
        "HeaderParameters": {"x-team": "target", "x-more": "1", "Host": "evil", "Transfer-Encoding": "chunked"},
        "QueryStringParameters": {"r": "2"},
    }
    made = destination_request(
        "https://example.com/v/*/end?k=v", "POST", {**BASIC, "InvocationHttpParameters": INVOCATION}, http, '{"n":1}'
    )
    assert made.url == "https://example.com/v/a%2Fb/end?k=v&r=2&q=1+2"
    assert json.loads(made.content) == {"n": 1, "added": "yes"}
    assert made.headers == {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "Amazon/EventBridge/ApiDestinations",
        "x-team": "a",
        "x-more": "1",
        "x-secret": "s",
        "Authorization": f"Basic {base64.b64encode(b'u:p:w').decode()}",
    }


@pytest.mark.req(502)
def test_path_parameters_that_are_left_are_added_to_the_path():
    made = destination_request("https://example.com/a?k=v", "POST", BASIC, {"PathParameterValues": ["b", "c"]}, "{}")
    assert made.url == "https://example.com/a/b/c?k=v"


@pytest.mark.req(502)
def test_a_key_is_a_header_and_a_token_is_a_bearer():
    key = {"ApiKeyAuthParameters": {"ApiKeyName": "x-api-key", "ApiKeyValue": "k"}}
    made = destination_request("https://example.com/", "PUT", key, {}, '"text"')
    assert (made.headers["x-api-key"], made.content) == ("k", b'"text"')
    assert with_token(made, "t").headers["Authorization"] == "Bearer t"
    oauth = {
        "AuthorizationEndpoint": "https://example.com/token",
        "HttpMethod": "POST",
        "ClientParameters": {"ClientID": "id", "ClientSecret": "secret"},
        "OAuthHttpParameters": {"BodyParameters": [{"Key": "scope", "Value": "all"}]},
    }
    assert parse_qs(token_request(oauth).content.decode()) == {
        "grant_type": ["client_credentials"],
        "client_id": ["id"],
        "client_secret": ["secret"],
        "scope": ["all"],
    }


@pytest.mark.req(502)
@pytest.mark.parametrize(
    ("endpoint", "http"),
    [
        ("https://example.com/*", {}),
        ("https://example.com/*/*", {"PathParameterValues": ["a"]}),
        ("https://example.com/", {"HeaderParameters": {"x": "a\r\nb: c"}}),
        ("https://example.com/", {"HeaderParameters": {"x": "é"}}),
    ],
)
def test_a_target_that_does_not_fit_is_told_so(endpoint, http):
    with pytest.raises(TargetFailure) as caught:
        destination_request(endpoint, "POST", BASIC, http, "{}")
    assert caught.value.error_code == "INVALID_PARAMETER"


@pytest.mark.req(503)
def test_secrets_are_not_shown_and_are_sealed():
    parameters = {
        **BASIC,
        "ApiKeyAuthParameters": {"ApiKeyName": "n", "ApiKeyValue": "k"},
        "OAuthParameters": {"ClientParameters": {"ClientID": "id", "ClientSecret": "s"}},
        "InvocationHttpParameters": INVOCATION,
    }
    shown = without_secrets(parameters)
    assert shown["BasicAuthParameters"] == {"Username": "u"}
    assert shown["ApiKeyAuthParameters"] == {"ApiKeyName": "n"}
    assert shown["OAuthParameters"] == {"ClientParameters": {"ClientID": "id"}}
    assert shown["InvocationHttpParameters"]["HeaderParameters"] == [
        {"Key": "x-team", "Value": "a"},
        {"Key": "x-secret", "IsValueSecret": True},
    ]
    sealed = Sealing(b"secret").seal(parameters)
    assert b"p:w" not in sealed
    assert Sealing(b"secret").unseal(sealed) == parameters
    with pytest.raises(PermanentFailure):
        Sealing(b"other").unseal(sealed)
