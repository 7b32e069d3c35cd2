"""The probe of containers: what it says of a process by its health."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from sightline.probe import TOKEN, find_problem, main
from support.emulators import free_port

SICK = {
    "database": {"status": "ok", "error": None},
    "media sandbox": {"status": "unavailable", "error": "the kernel has no Landlock"},
}


@contextmanager
def health(status: int, parts: object = None) -> Iterator[tuple[int, list[tuple[str, str | None]]]]:
    """A process with this health; its port, and the path and sign-in of each request."""
    asked: list[tuple[str, str | None]] = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.path, self.headers.get("Authorization")))
            body = json.dumps({"status": "…", "parts": parts}).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port, asked
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.req(1013)
def test_a_process_in_order_has_no_problem_and_is_asked_with_the_token(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(TOKEN, "of-the-scraper")
    with health(200) as (port, asked):
        assert find_problem(port, is_deep=True) is None
        assert main([str(port)]) == 0
    assert asked == [("/api/health?deep=true", "Bearer of-the-scraper"), ("/api/health", "Bearer of-the-scraper")]


@pytest.mark.req(1013)
def test_the_part_that_is_not_in_order_is_named(capsys: pytest.CaptureFixture[str]):
    with health(503, SICK) as (port, _):
        assert main(["--deep", str(port)]) == 1
    assert capsys.readouterr().err == "media sandbox: the kernel has no Landlock\n"


@pytest.mark.req(1013)
@pytest.mark.parametrize(("status", "said"), [(401, f"needs {TOKEN}"), (500, "health answers 500")])
def test_other_answers_are_said(status: int, said: str):
    with health(status) as (port, _):
        assert said in str(find_problem(port, is_deep=True))


@pytest.mark.req(1013)
def test_a_process_that_does_not_listen_and_a_wrong_call_are_said(capsys: pytest.CaptureFixture[str]):
    port = free_port()
    assert str(find_problem(port, is_deep=False)).startswith(f"nothing answers on port {port}: ")
    assert main(["many"]) == main([]) == 2
    assert "usage:" in capsys.readouterr().err
