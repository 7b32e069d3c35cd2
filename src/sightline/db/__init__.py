"""PostgreSQL access: pool, transactions, migrations, LISTEN/NOTIFY, and the embedded server."""

from sightline.db.batches import delete_in_batches
from sightline.db.embedded import EmbeddedPostgres, client_program, psql_command
from sightline.db.grouped import Grouped
from sightline.db.migrate import Migration, migrate, pending
from sightline.db.notify import Listener
from sightline.db.pool import Database, Transaction, open_database
from sightline.db.queries import Queries, Statement, load_queries
from sightline.db.settings import DatabaseSettings

__all__ = [
    "Database",
    "DatabaseSettings",
    "EmbeddedPostgres",
    "Grouped",
    "Listener",
    "Migration",
    "Queries",
    "Statement",
    "Transaction",
    "client_program",
    "delete_in_batches",
    "load_queries",
    "migrate",
    "open_database",
    "pending",
    "psql_command",
]
