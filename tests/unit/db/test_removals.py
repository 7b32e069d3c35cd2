"""Migrations say whether older versions can work on the schema that they leave."""

import re

import pytest

from sightline.db.migrate import MIGRATIONS, Migration, read_migrations, refuse_removals
from sightline.errors import ConfigurationError

_COMMENT = re.compile(r"--.*")
# A temporary table takes nothing from anybody.
_OF_THIS_TRANSACTION = re.compile(r"\bON\s+COMMIT\s+DROP\b", re.IGNORECASE)
_TAKES_AWAY = re.compile(
    r"\b(?:DROP|RENAME|SET\s+NOT\s+NULL|ALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE)\b", re.IGNORECASE
)


def takes_away(sql: str) -> bool:
    """Whether something that was there may be missing, or be refused, afterwards."""
    return _TAKES_AWAY.search(_OF_THIS_TRANSACTION.sub("", _COMMENT.sub("", sql))) is not None


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("CREATE TABLE a (b int);", False),
        ("ALTER TABLE a ADD COLUMN c int;", False),
        ("-- DROP nothing\nSELECT 1;", False),
        ("CREATE TEMPORARY TABLE a ON COMMIT DROP AS SELECT 1;", False),
        ("ALTER TABLE a DROP COLUMN b;", True),
        ("alter table a rename column b to c;", True),
        ("ALTER TABLE a ALTER COLUMN b TYPE bigint;", True),
        ("ALTER TABLE a\n    ALTER b SET NOT NULL;", True),
        ("DROP INDEX i;", True),
    ],
)
def test_what_takes_something_away_is_found(sql: str, expected: bool):
    assert takes_away(sql) is expected


@pytest.mark.req(1031)
@pytest.mark.parametrize("migration", read_migrations(), ids=lambda one: one.name)
def test_a_migration_that_drops_or_renames_says_what_it_means_for_older_versions(migration: Migration):
    is_marked = (migration.removes is None) != (migration.keeps is None)
    assert is_marked or not takes_away(migration.sql), (
        f"{migration.name} drops, renames or narrows something. Add a line `-- removes: what older versions use`, and "
        "they refuse to run beside it, or `-- keeps: why older versions can work on it`"
    )
    assert migration.removes is None or migration.keeps is None, f"{migration.name} says both"


def test_a_mark_does_not_change_what_was_applied():
    plain = Migration(1, "0001_a", "-- What it does.\nDROP TABLE a;\n")
    marked = Migration(1, "0001_a", "-- What it does.\n-- removes: the table a\nDROP TABLE a;\n")
    assert (plain.removes, marked.removes) == (None, "the table a")
    assert plain.checksum == marked.checksum
    assert Migration(1, "0001_a", "-- What it does.\nDROP TABLE b;\n").checksum != plain.checksum


@pytest.mark.req(1031)
def test_an_older_version_refuses_what_removed_something_and_nothing_else():
    known = [Migration(1, "0001_a", "")]
    added = {"number": 2, "name": "0002_b", "removes": None}
    removed = {"number": 3, "name": "0003_c", "removes": "the table a"}
    refuse_removals(known, [{"number": 1, "name": "0001_a", "removes": "long ago"}, added])
    with pytest.raises(
        ConfigurationError, match=r"0003_c.*removed what this version.*the table a; use the newer version"
    ):
        refuse_removals(known, [added, removed])


def test_there_are_migrations_to_read():
    assert MIGRATIONS.is_dir()
    assert any(migration.removes for migration in read_migrations())
    assert any(migration.keeps for migration in read_migrations())
