"""API keys of a platform: creating, checking and revoking them, and when each was last used."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from sightline.access.api_key import ApiKey, KeyText, new_key, read_key
from sightline.access.keys_store import insert_key, keys_with_hashes, note_key_uses
from sightline.access.operators import is_operator_now
from sightline.access.scopes import OPERATOR, check_scopes
from sightline.contracts import Caller, Role
from sightline.db import Database, Grouped, Transaction
from sightline.errors import NotAllowed, NotAuthenticated, TransientFailure
from sightline.supervisor import Every
from sightline.timing import Clock, utc_now

NOTE_USES_EVERY_S = 30.0


class ApiKeys:
    """A check reads the database each time, so that a revoked key ends at once in every process; checks at the same
    moment share one query. The time of use is noted in memory and written in groups."""

    def __init__(self, database: Database, *, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock
        self._checks = Grouped(self._check_group)
        self._uses: dict[str, datetime] = {}

    async def create(
        self,
        tx: Transaction,
        caller: Caller,
        *,
        name: str,
        scopes: Sequence[str],
        lifetime: timedelta | None = None,
        with_teams: bool = False,
    ) -> tuple[ApiKey, str]:
        """The key that acts as the caller, and its whole text, which is stored nowhere."""
        chosen = check_scopes(scopes)
        if OPERATOR in chosen and not await is_operator_now(tx, caller):
            raise NotAllowed(f"Only operators can create a key with the scope {OPERATOR}")
        key = new_key()
        created = await insert_key(
            tx,
            key,
            name=name,
            scopes=chosen,
            owner_id=caller.user_id,
            owner_email=caller.email,
            team_ids=caller.team_ids if with_teams else (),
            expires_at=None if lifetime is None else self._clock() + lifetime,
        )
        return created, key.text()

    async def check(self, text: str) -> ApiKey:
        """The active key that the text is, or `NotAuthenticated`, with the same words whatever is wrong with it."""
        key = read_key(text)
        found = None if key is None else await self._checks.call(key)
        if found is None:
            raise NotAuthenticated("Invalid, expired or revoked API key")
        self.note_use(found.key_id, self._clock())
        return found

    def note_use(self, key_id: str, at: datetime) -> None:
        """Remembers that a key was used; written with the next group."""
        self._uses[key_id] = at

    def service(self) -> "KeyUses":
        return KeyUses(self)

    async def note_uses(self) -> None:
        """Writes when keys were used since the last time; uses that cannot be written now are kept."""
        uses, self._uses = self._uses, {}
        if not uses:
            return
        try:
            async with self._database.transaction() as tx:
                await note_key_uses(tx, uses)
        except BaseException:
            self._uses = uses | self._uses
            raise

    async def _check_group(self, keys: Sequence[KeyText]) -> list[ApiKey | None]:
        async with self._database.transaction() as tx:
            stored = await keys_with_hashes(tx, [key.key_id for key in keys])
        now = self._clock()
        results: list[ApiKey | None] = []
        for key in keys:
            found, stored_hash = stored.get(key.key_id, (None, None))
            is_right = key.matches(stored_hash)
            results.append(found if found is not None and is_right and found.is_active(now) else None)
        return results


class KeyUses:
    """Writes the uses of keys every half minute, and those of the last half minute when it is stopped."""

    name = "api-key-uses"

    def __init__(self, keys: ApiKeys) -> None:
        self._keys = keys

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        await Every(self.name, NOTE_USES_EVERY_S, self._keys.note_uses).run(stop, ready)
        with suppress(TransientFailure):  # the database may stop at the same time
            await self._keys.note_uses()


def caller_of_key(key: ApiKey) -> Caller:
    """The key's owner, as operator only if the key says so."""
    roles: frozenset[Role] = frozenset({"user", "operator"} if OPERATOR in key.scopes else {"user"})
    return Caller(key.owner_id, email=key.owner_email, team_ids=key.team_ids, roles=roles, memberships=key.memberships)


def owner_caller(owner_id: UUID) -> Caller:
    """The owner that a command on the platform's own machine names; such a command may give the key any scope."""
    return Caller(owner_id, roles=frozenset({"user", "operator"}))
