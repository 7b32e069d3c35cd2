"""Store of sign-ins that came back from the issuer."""

from pathlib import Path

from sightline.api.auth.oidc.attempt import LIFETIME_S
from sightline.db import Transaction, load_queries

_sql = load_queries(Path(__file__).with_name("states.sql"))


async def use_state(tx: Transaction, state_hash: bytes) -> bool:
    """Whether this is the first time, in any process."""
    # Twice the lifetime: clocks of the processes and of the database may differ.
    return await _sql["use"].run(tx, state_hash=state_hash, lifetime_s=float(2 * LIFETIME_S)) > 0
