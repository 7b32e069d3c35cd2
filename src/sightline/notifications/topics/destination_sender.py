"""Deliveries of rules to API destinations."""

import json
import time
from datetime import timedelta
from uuid import UUID

from sightline.bus import (
    ApiConnection,
    ApiDestination,
    EndpointDelivery,
    Sealing,
    TargetFailure,
    WebRequest,
    connection_store,
    destination_request,
    token_request,
    with_token,
)
from sightline.db import Database
from sightline.errors import BackendUnavailable, PermanentFailure, Throttled
from sightline.http import HttpClient, HttpResponse, check_status
from sightline.notifications.push.rate import SendRate
from sightline.notifications.push.webhook_address import Resolve, pin, system_addresses

RETRIED_STATUSES = frozenset({401, 407, 409})
"""EventBridge tries these again, beside those that every sender does."""
TOKEN_MARGIN_S = 30.0
DEFAULT_TOKEN_LIFETIME_S = 300.0


class ApiDestinationSender:
    """`trusted_account` may be called at private addresses: without sign-in, consumers run on the same machine."""

    def __init__(
        self,
        http: HttpClient,
        database: Database,
        sealing: Sealing,
        *,
        trusted_account: str | None,
        resolve: Resolve = system_addresses,
    ) -> None:
        self._http = http
        self._database = database
        self._sealing = sealing
        self._trusted_account = trusted_account
        self._resolve = resolve
        self._rates: dict[UUID, tuple[int, SendRate]] = {}
        self._tokens: dict[tuple[UUID, bytes], tuple[str, float]] = {}

    async def send(self, record: EndpointDelivery) -> None:
        destination, connection = await self._find(record)
        parameters = self._sealing.unseal(connection.sealed_parameters)
        request = destination_request(
            destination.endpoint,
            destination.method,
            parameters,
            record.parameters.get("HttpParameters") or {},
            record.body,
        )
        oauth = parameters.get("OAuthParameters")
        if oauth is not None:
            request = with_token(request, await self._token(record, connection, token_request(oauth)))
        if (wait_s := self._rate(destination).wait_s()) > 0:
            raise Throttled(
                "the API destination is called as often as it may be", retry_after=timedelta(seconds=wait_s)
            )
        response = await self._exchange(record, request)
        if response.status in RETRIED_STATUSES:
            self._tokens.pop((connection.connection_id, connection.sealed_parameters), None)
            raise BackendUnavailable("endpoint", f"the API destination responded with {response.status}")
        check_status("endpoint", response, quote_body=False)

    def _rate(self, destination: ApiDestination) -> SendRate:
        """The rate limit of the destination, in this process."""
        limit, rate = self._rates.get(destination.destination_id, (0, SendRate(0)))
        if limit != destination.rate_limit:
            rate = SendRate(destination.rate_limit * 60)
            self._rates[destination.destination_id] = (destination.rate_limit, rate)
        return rate

    async def _find(self, record: EndpointDelivery) -> tuple[ApiDestination, ApiConnection]:
        name, _, destination_id = record.endpoint.partition(":api-destination/")[2].partition("/")
        async with self._database.transaction() as tx:
            destination = await connection_store.find_destination(tx, record.account_id, name)
            if destination is None or str(destination.destination_id) != destination_id:
                raise TargetFailure("NO_RESOURCE", f"The API destination {record.endpoint} does not exist.")
            connected = destination.connection_arn.rpartition(":connection/")[2].partition("/")
            connection = await connection_store.find_connection(tx, record.account_id, connected[0])
        if connection is None or str(connection.connection_id) != connected[2]:
            raise TargetFailure("NO_RESOURCE", f"The connection {destination.connection_arn} does not exist.")
        return destination, connection

    async def _token(self, record: EndpointDelivery, connection: ApiConnection, request: WebRequest) -> str:
        # A changed connection has other parameters, and does not use the token of the old ones.
        key = (connection.connection_id, connection.sealed_parameters)
        token, valid_until = self._tokens.get(key, ("", 0.0))
        if time.monotonic() < valid_until:
            return token
        response = await self._exchange(record, request)
        check_status("endpoint", response, quote_body=False)
        try:
            content = json.loads(response.text)
            token = str(content["access_token"])
            lifetime_s = float(content.get("expires_in", DEFAULT_TOKEN_LIFETIME_S))
        except (ValueError, TypeError, KeyError) as error:
            raise PermanentFailure("the authorization endpoint did not respond with a token") from error
        self._tokens[key] = (token, time.monotonic() + lifetime_s - TOKEN_MARGIN_S)
        async with self._database.transaction() as tx:
            await connection_store.note_authorized(tx, connection)
        return token

    async def _exchange(self, record: EndpointDelivery, request: WebRequest) -> HttpResponse:
        is_trusted = record.account_id == self._trusted_account
        target = await pin(request.url, allow_private=is_trusted, resolve=self._resolve)
        return await self._http.request(
            request.method, target.url, headers=request.headers, content=request.content, connect_to=target.ip
        )
