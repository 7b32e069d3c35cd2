"""One row for each person in every table of the schema, made from the information schema, so that no new table is forgotten."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid5

import asyncpg

SCHEMAS = ("public", "sightline")
PEOPLE_COLUMNS = frozenset(
    {"owner_id", "user_id", "person_id", "author_id", "actor_id", "created_by", "revoked_by", "requested_by"}
    | {"assigned_to", "changed_by", "published_by", "scope", "uploaded_by", "granted_by"}
)
NAME_COLUMNS = frozenset({"email", "owner_email", "actor", "author", "recipient", "settled_by", "assignee"})
INSTALLATION = frozenset({"schema_migrations", "schema_objects", "bus_signing_identity"})
"""Filled by migrations, or with one row for everybody."""


@dataclass(frozen=True)
class Filler:
    """A person with the values by which their rows are recognized."""

    tag: str
    number: int

    @property
    def id(self) -> UUID:
        return self.uuid("person")

    @property
    def email(self) -> str:
        return f"{self.tag}@example.com"

    @property
    def video_id(self) -> UUID:
        return self.uuid("video")

    @property
    def camera_key(self) -> UUID:
        return self.uuid("camera")

    def uuid(self, of: str) -> UUID:
        return uuid5(UUID(int=0), f"{of} of {self.tag}")

    def is_in(self, row: str) -> bool:
        """Whether a row, as text, has anything of this person."""
        marks = (self.id, self.video_id, self.camera_key, f"of {self.tag}")
        # Not as a part of the fraction of a second, nor of a longer address.
        parts = re.search(rf"(?<![\d.]){self.number}(?!\d)|(?<!\w){re.escape(self.email)}", row)
        return any(str(mark) in row for mark in marks) or parts is not None


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    cast: str
    """The type as a statement names it."""


async def tables_of(admin: asyncpg.Connection) -> dict[str, list[Column]]:
    """Columns that can be written, of every base table, by `schema.table`."""
    rows = await admin.fetch(
        """SELECT c.table_schema || '.' || c.table_name AS name, c.column_name, c.udt_name,
                  (SELECT format_type(a.atttypid, NULL) FROM pg_attribute AS a
                   WHERE a.attrelid = (c.table_schema || '.' || c.table_name)::regclass AND a.attname = c.column_name) AS cast
           FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
           WHERE t.table_type = 'BASE TABLE' AND c.table_schema = ANY ($1) AND c.is_generated = 'NEVER'
           ORDER BY 1, c.ordinal_position""",
        SCHEMAS,
    )
    found: dict[str, list[Column]] = {}
    for row in rows:
        found.setdefault(row["name"], []).append(Column(row["column_name"], row["udt_name"], row["cast"]))
    return found


async def allow_any_value(admin: asyncpg.Connection) -> None:
    """Checks of values, references and triggers are of no interest here: a row of each table is."""
    await admin.execute("SET session_replication_role = replica")
    checks = await admin.fetch(
        """SELECT conrelid::regclass::text AS name, quote_ident(conname) AS check FROM pg_constraint AS c
           JOIN pg_class AS t ON t.oid = c.conrelid
           WHERE contype = 'c' AND t.relnamespace::regnamespace::text = ANY ($1)""",
        SCHEMAS,
    )
    for row in checks:
        await admin.execute(f"ALTER TABLE {row['name']} DROP CONSTRAINT IF EXISTS {row['check']}")


async def fill(admin: asyncpg.Connection, person: Filler) -> None:
    """A row of the person in every table but those of the installation."""
    enums = {
        row["typname"]: row["label"]
        for row in await admin.fetch(
            """SELECT t.typname, min(e.enumlabel) AS label FROM pg_enum AS e JOIN pg_type AS t ON t.oid = e.enumtypid GROUP BY 1"""
        )
    }
    for table, columns in (await tables_of(admin)).items():
        name = table.partition(".")[2]
        if name in INSTALLATION:
            continue
        values = {one.name: _value(name, one, person, enums) for one in columns}
        await insert(admin, table, values, {one.name: one.cast for one in columns})


async def insert(admin: asyncpg.Connection, table: str, values: Mapping[str, Any], casts: Mapping[str, str]) -> None:
    places = ", ".join(f"${number}::text::{casts[name]}" for number, name in enumerate(values, 1))
    names = ", ".join(f'"{name}"' for name in values)
    await admin.execute(
        f"INSERT INTO {table} ({names}) OVERRIDING SYSTEM VALUE VALUES ({places}) ON CONFLICT DO NOTHING",
        *values.values(),
    )


async def rows_of(admin: asyncpg.Connection, person: Filler) -> dict[str, set[str]]:
    """Everything in the database that names the person, by table."""
    found = {}
    for table in await tables_of(admin):
        rows = await admin.fetch(f"SELECT to_jsonb(t)::text AS row FROM {table} AS t")
        found[table.partition(".")[2]] = {row["row"] for row in rows if person.is_in(row["row"])}
    return found


def _value(table: str, column: Column, person: Filler, enums: Mapping[str, str]) -> str | None:
    """As text that PostgreSQL reads."""
    special = _SPECIAL.get((table, column.name))
    if special is not None:
        return special(person)
    if column.name in PEOPLE_COLUMNS and column.type in ("uuid", "text"):
        return str(person.id) if column.type == "uuid" else person.email
    if column.name in NAME_COLUMNS:
        return person.email
    match column.type:
        case "uuid":
            named = {"video_id": person.video_id, "camera_key": person.camera_key, "team_id": None}
            value = named.get(column.name, person.uuid(_root(table, column.name)))
            return None if value is None else str(value)
        case "int2" | "int4" | "int8" | "float4" | "float8":
            return str(person.number)
        case "text" | "varchar":
            return f"{column.name} of {person.tag}"
        case "bool":
            return "false"
        case "timestamptz":
            return "2026-01-17T10:00:00Z"
        case "date":
            return "2026-01-17"
        case "json" | "jsonb":
            return json.dumps({"of": f"of {person.tag}"})
        case "tsvector":
            return ""
        case "bytea":
            return "\\x" + hashlib.sha256(f"{table} {column.name} {person.tag}".encode()).hexdigest()
        case "vector" | "halfvec":
            return str([0.5] * 384)
        case _ if column.type.startswith("_"):
            return "{}"
        case _:
            return enums[column.type]


def _root(table: str, column: str) -> str:
    """Columns of the same meaning have the same value in all tables, as references have."""
    return {"id": table, "event_id": f"event of {table}"}.get(column, column)


_SPECIAL: dict[tuple[str, str], Any] = {
    ("videos", "id"): lambda person: str(person.video_id),
    ("videos", "original_removed_at"): lambda person: None,
    ("videos", "trashed_at"): lambda person: None,
    ("videos", "uploaded_by"): lambda person: None,
    ("teams", "id"): lambda person: str(person.uuid("team")),
    ("team_members", "team_id"): lambda person: str(person.uuid("team")),
    ("team_invitations", "team_id"): lambda person: str(person.uuid("team")),
    ("segments", "id"): lambda person: str(person.uuid("segment_id")),
    ("collections", "id"): lambda person: str(person.uuid("collection_id")),
    ("tus_uploads", "id"): lambda person: str(person.uuid("upload_id")),
    ("technique_events", "id"): lambda person: str(person.uuid("event of technique_candidates")),
    ("technique_candidates", "event_id"): lambda person: str(person.uuid("event of technique_candidates")),
    ("owner_identities", "kind"): lambda person: "person",
    ("owner_identities", "subject"): lambda person: person.tag,
    ("owner_identities", "issuer"): lambda person: "https://login.example.com",
    ("caller_memberships", "name"): lambda person: person.email,
    ("stored_settings", "field"): lambda person: str(person.uuid("field")),
    ("stored_settings", "value"): lambda person: "1",
    ("stored_settings", "section"): lambda person: "push",
    ("alert_rules", "escalation"): lambda person: "[]",
    ("message_drafts", "record"): lambda person: json.dumps({"owner_id": {"S": str(person.id)}}),
    ("bus_accounts", "account_id"): lambda person: f"{person.number:012}",
    **{
        (table, "account_id"): lambda person: f"{person.number:012}"
        for table in (
            *(
                "bus_queues",
                "bus_topics",
                "bus_subscriptions",
                "bus_event_buses",
                "bus_rules",
                "bus_archives",
                "bus_replays",
            ),
            *("bus_move_tasks", "bus_connections", "bus_api_destinations", "bus_schedule_groups", "bus_schedules"),
        )
    },
    ("bus_rules", "event_bus"): lambda person: f"name of {person.tag}",
    ("bus_rules", "pattern"): lambda person: json.dumps({"source": [f"of {person.tag}"]}),
    ("bus_rules", "targets"): lambda person: "[]",
    ("bus_rules", "attributes"): lambda person: "{}",
    ("bus_rules", "schedule"): lambda person: None,
    ("bus_rule_clocks", "event_bus"): lambda person: f"name of {person.tag}",
    ("bus_rule_clocks", "rule"): lambda person: f"name of {person.tag}",
    ("bus_schedules", "group_name"): lambda person: f"name of {person.tag}",
    ("home_assistant_publisher", "id"): lambda person: "true",
    ("audit_log", "details"): lambda person: json.dumps({"owner": str(person.id), "address": "192.0.2.7"}),
    ("audit_log", "target"): lambda person: f"person {person.id}",
    ("audit_log", "replaced_hash"): lambda person: None,
}
