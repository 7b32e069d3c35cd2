"""The psql command of the embedded server."""

import shlex

from sightline.db.client_programs import psql_command


def test_the_address_of_a_socket_needs_no_quotes():
    _, address = psql_command("postgresql://postgres:p-w_d@/sightline?host=%2Fa%20dir%2Fpostgres")
    assert address == "postgresql://postgres:p-w_d@%2Fa%20dir%2Fpostgres/sightline"
    assert shlex.quote(address) == address  # `$(sightline db --psql)` is split, but quotes are not removed


def test_another_address_is_kept_as_it_is():
    url = "postgresql://u:p@db.example/app?sslmode=require&connect_timeout=3"
    assert psql_command(url)[1] == url
