"""The psql command of the embedded server."""

import shlex

from sightline.db.embedded import psql_command


def test_the_command_for_a_socket_has_two_words_and_needs_no_quotes():
    command = psql_command("postgresql://postgres:p-w_d@/sightline?host=%2Fa%20dir%2Fpostgres")
    assert shlex.split(command) == command.split()  # `$(sightline db --psql)` is split, but quotes are not removed
    assert command.split()[1] == "postgresql://postgres:p-w_d@%2Fa%20dir%2Fpostgres/sightline"


def test_another_address_is_quoted_for_a_shell():
    url = "postgresql://u:p@db.example/app?sslmode=require&connect_timeout=3"
    assert shlex.split(psql_command(url))[1] == url
