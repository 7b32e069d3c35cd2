"""A sign-in at the issuer, from the button to the caller, and the sign-out there."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from sightline.api.auth.callers import Callers
from sightline.api.auth.oidc.attempt import SignInAttempt, safe_return, with_query
from sightline.api.auth.oidc.id_token import TokenRefused, check_id_token, check_userinfo, read_header
from sightline.api.auth.oidc.issuer import OidcIssuer
from sightline.api.auth.oidc.state_store import use_state
from sightline.bus import Sealing
from sightline.config import AuthSettings
from sightline.contracts import Caller
from sightline.db import Database
from sightline.errors import NotAuthenticated, PermanentFailure, TransientFailure

CALLBACK_PATH = "/api/session/oidc/callback"
MAX_ID_TOKEN_HINT = 4000
"""Longer ones do not fit into an address that every proxy lets through."""

SignInProblem = Literal["cancelled", "expired", "unavailable", "refused"]
"""What the page explains: the person stopped, it took too long or came back twice, the issuer is away, its answer is wrong."""


class SignInFailed(NotAuthenticated):
    def __init__(self, problem: SignInProblem, message: str, return_to: str = "/") -> None:
        super().__init__(message)
        self.problem: SignInProblem = problem
        self.return_to = return_to


@dataclass(frozen=True, slots=True)
class FinishedSignIn:
    caller: Caller
    return_to: str
    sealed_id_token: bytes


class OidcSignIn:
    """Holds nothing of a sign-in that is under way: its secrets wait sealed in the browser, so any process can finish it."""

    def __init__(
        self,
        settings: AuthSettings,
        issuer: OidcIssuer,
        callers: Callers,
        database: Database,
        sealing: Sealing,
        *,
        public_url: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._settings = settings
        self._issuer = issuer
        self._callers = callers
        self._database = database
        self._sealing = sealing
        self._public_url = public_url
        self._clock = clock

    @property
    def name(self) -> str:
        return self._settings.oidc_name or urlsplit(self._issuer.issuer).hostname or self._issuer.issuer

    async def begin(self, return_to: str) -> tuple[str, str, str]:
        """The issuer's address to go to, the state, and what the browser's cookie holds meanwhile."""
        try:
            endpoints = await self._issuer.endpoints()
        except TransientFailure as error:
            raise SignInFailed("unavailable", error.message, safe_return(return_to)) from error
        attempt = SignInAttempt.begin(return_to, self._clock())
        address = with_query(
            endpoints.authorization,
            response_type="code",
            client_id=self._issuer.client_id,
            redirect_uri=self._redirect_uri,
            scope=" ".join(dict.fromkeys(("openid", *self._settings.oidc_scopes))),
            state=attempt.state,
            nonce=attempt.nonce,
            code_challenge=attempt.challenge,
            code_challenge_method="S256",
        )
        return address, attempt.state, self._sealing.seal(attempt.content()).decode()

    async def finish(self, answer: Mapping[str, str], cookie: str | None) -> FinishedSignIn:
        """The person whom the issuer's answer proves. The answer counts once, and only in the browser that began."""
        attempt = await self._attempt(answer.get("state", ""), cookie)
        try:
            await self._check_answer(answer)
            id_token, claims = await self._claims(answer.get("code", ""), attempt)
            caller = await self._callers.of(claims)
        except SignInFailed as failed:
            raise SignInFailed(failed.problem, failed.message, attempt.return_to) from failed
        except NotAuthenticated as error:
            raise SignInFailed("refused", error.message, attempt.return_to) from error
        except TransientFailure as error:
            raise SignInFailed("unavailable", error.message, attempt.return_to) from error
        return FinishedSignIn(caller, attempt.return_to, self._sealing.seal({"id_token": id_token}))

    async def sign_out_address(self, sealed_id_token: bytes) -> str | None:
        """Where the browser ends its session with the issuer too; None if the issuer offers no such address."""
        try:
            address = (await self._issuer.endpoints()).end_session
            id_token = str(self._sealing.unseal(sealed_id_token)["id_token"])
        except (TransientFailure, PermanentFailure):
            return None
        if address is None:
            return None
        hint = {"id_token_hint": id_token} if len(id_token) <= MAX_ID_TOKEN_HINT else {}
        return with_query(
            address, client_id=self._issuer.client_id, post_logout_redirect_uri=f"{self._public_url}/", **hint
        )

    @property
    def _redirect_uri(self) -> str:
        return self._public_url + CALLBACK_PATH

    async def _attempt(self, state: str, cookie: str | None) -> SignInAttempt:
        try:
            content = {} if cookie is None else self._sealing.unseal(cookie.encode(errors="replace"))
        except PermanentFailure:
            content = {}
        attempt = SignInAttempt.from_content(content, state, self._clock()) if content else None
        if attempt is None:
            raise SignInFailed("expired", "this browser has not begun this sign-in, or too long ago")
        async with self._database.transaction() as tx:
            is_first = await use_state(tx, attempt.state_hash)
        if not is_first:
            raise SignInFailed("expired", "this sign-in has come back before", attempt.return_to)
        return attempt

    async def _check_answer(self, answer: Mapping[str, str]) -> None:
        endpoints = await self._issuer.endpoints()
        named = answer.get("iss")
        is_other = endpoints.names_itself if named is None else named != endpoints.issuer
        if is_other:
            raise TokenRefused("the answer comes from another issuer, or does not say from which")
        if (error := answer.get("error")) is not None:
            match error:
                case "access_denied":
                    raise SignInFailed("cancelled", "the person cancelled the sign-in at the issuer")
                case "temporarily_unavailable" | "server_error":
                    raise SignInFailed("unavailable", f"the issuer answered {error}")
                case _:
                    raise TokenRefused(f"the issuer answered {error[:100]!r}")
        if not answer.get("code"):
            raise TokenRefused("the issuer's answer has no code")

    async def _claims(self, code: str, attempt: SignInAttempt) -> tuple[str, dict[str, Any]]:
        id_token, access_token = await self._issuer.exchange(
            code, verifier=attempt.verifier, redirect_uri=self._redirect_uri
        )
        algorithm, key_id = read_header(id_token)
        claims = check_id_token(
            id_token,
            await self._issuer.key(key_id),
            algorithm,
            issuer=self._issuer.issuer,
            client_id=self._issuer.client_id,
            nonce=attempt.nonce,
            access_token=access_token,
        )
        if access_token is not None and not self._is_complete(claims):
            found = await self._issuer.userinfo(access_token)
            if found is not None:
                # What the signed token says wins over what the endpoint adds.
                claims = {**check_userinfo(found, claims["sub"]), **claims}
        return id_token, claims

    def _is_complete(self, claims: Mapping[str, Any]) -> bool:
        """Many issuers put only the subject into the token, and the rest into the userinfo endpoint."""
        names = ("email", self._settings.team_claim, self._settings.role_claim)
        return all(name.partition(".")[0] in claims for name in names)
