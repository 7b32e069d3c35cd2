"""PostgreSQL access: pool, transactions, migrations, LISTEN/NOTIFY, and the embedded server."""

from sightline.db.batches import delete_in_batches
from sightline.db.client_programs import psql_command, run_client
from sightline.db.embedded import (
    DATABASE,
    PASSWORD_FILE,
    SERVICE_PASSWORD_FILE,
    SUPERUSER,
    UPGRADE_DIRECTORY,
    EmbeddedPostgres,
    data_version,
)
from sightline.db.grouped import Grouped
from sightline.db.migrate import Migration, applied_migration, migrate, newest_migration, pending
from sightline.db.notify import Listener
from sightline.db.pool import Database, Transaction, connect_errors, open_database
from sightline.db.queries import Queries, Statement, load_queries
from sightline.db.server_programs import MAJOR, ServerPrograms, find_programs, installed_programs
from sightline.db.settings import DatabaseSettings
from sightline.db.wait import wait_until_migrated

__all__ = [
    "DATABASE",
    "MAJOR",
    "PASSWORD_FILE",
    "SERVICE_PASSWORD_FILE",
    "SUPERUSER",
    "UPGRADE_DIRECTORY",
    "Database",
    "DatabaseSettings",
    "EmbeddedPostgres",
    "Grouped",
    "Listener",
    "Migration",
    "Queries",
    "ServerPrograms",
    "Statement",
    "Transaction",
    "applied_migration",
    "connect_errors",
    "data_version",
    "delete_in_batches",
    "find_programs",
    "installed_programs",
    "load_queries",
    "migrate",
    "newest_migration",
    "open_database",
    "pending",
    "psql_command",
    "run_client",
    "wait_until_migrated",
]
