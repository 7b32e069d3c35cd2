"""Named SQL."""

from pathlib import Path

import pytest

from sightline.db.queries import Queries
from sightline.errors import ConfigurationError


def _queries(tmp_path: Path, text: str) -> Queries:
    path = tmp_path / "queries.sql"
    path.write_text(text)
    return Queries(path)


def test_a_query_has_a_name_a_description_and_parameters_in_order(tmp_path: Path):
    query = _queries(tmp_path, "-- name: find\n-- Finds it.\nSELECT :b::text, ':no', :a, :b;\n")["find"]
    assert query.sql.rstrip(";") == "SELECT $1::text, ':no', $2, $1"
    assert (query.description, query.parameters) == ("Finds it.", ("b", "a"))


def test_a_query_without_a_description_is_refused(tmp_path: Path):
    with pytest.raises(ConfigurationError, match="find .* has no description"):
        _queries(tmp_path, "-- name: find\nSELECT 1;\n")


def test_an_unknown_query_names_the_file(tmp_path: Path):
    with pytest.raises(KeyError, match=r"no query named other in .*queries\.sql"):
        _queries(tmp_path, "-- name: find\n-- Finds it.\nSELECT 1;\n")["other"]


async def test_missing_or_surplus_parameters_are_named_before_anything_runs(tmp_path: Path):
    query = _queries(tmp_path, "-- name: find\n-- Finds it.\nSELECT :a;\n")["find"]
    with pytest.raises(TypeError, match="find takes a; got nothing"):
        await query.rows(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="find takes a; got a, b"):
        await query.rows(None, a=1, b=2)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "quoted",
    [
        "':a'",
        "'it''s :a'",
        '":a"',
        "b::a",
        "-- :a\n 1",
        "/* :a */ 1",
        "$$ :a $$",
        "$body$ $$ :a $body$",
        "'12:30:00'",
        "E'\\n:a'",
    ],
)
def test_a_colon_in_a_literal_a_comment_or_a_cast_is_no_parameter(tmp_path: Path, quoted: str):
    query = _queries(tmp_path, f"-- name: find\n-- Finds it.\nSELECT {quoted}, :real;\n")["find"]
    assert query.sql == f"SELECT {quoted}, $1;"
    assert query.parameters == ("real",)


def test_a_file_holds_many_queries_and_ignores_what_stands_above_the_first(tmp_path: Path):
    text = "-- About this file.\n\n-- name: one\n-- First line,\n-- second line.\nSELECT 1;\n\n-- name: two\n-- Two.\nSELECT 2;\n"
    found = _queries(tmp_path, text)
    assert {name: (query.sql, query.description) for name, query in found.items()} == {
        "one": ("SELECT 1;", "First line,\nsecond line."),
        "two": ("SELECT 2;", "Two."),
    }


def test_two_queries_of_one_name_are_refused(tmp_path: Path):
    with pytest.raises(ConfigurationError, match="two queries in .* are named one"):
        _queries(tmp_path, "-- name: one\n-- A.\nSELECT 1;\n-- name: one\n-- B.\nSELECT 2;\n")
