"""`sightline messages`, with the processor of a platform that runs."""

import json
from pathlib import Path

import pytest

from support.ntfy_server import ntfy_server
from support.platform_process import ask, up
from support.waiting import until


@pytest.mark.req(153, 185)
async def test_a_message_from_the_command_line_is_pushed_and_its_way_is_shown(clean_environment, tmp_path: Path):
    state = tmp_path / "state"
    where = ("--state-dir", str(state))
    async with ntfy_server() as server:
        settings = {"SIGHTLINE_PUSH_NTFY_SERVER": server.url, "SIGHTLINE_PUSH_NTFY_TOPIC": "ops"}
        async with up(state, **settings):
            code, out, err = await ask("messages", "send", "Olá", "--channel", "ntfy", "--title", "Título", *where)
            assert code == 0, err
            message_id = out.strip()
            await until(lambda: bool(server.published))

            async def is_completed() -> bool:
                _, shown, _ = await ask("messages", "show", message_id, "--json", *where)
                return bool(json.loads(shown)["status"] == "completed")

            await until(is_completed)
            _, listed, _ = await ask("messages", "list", "--status", "completed", *where)
            _, schedules, _ = await ask("messages", "schedules", "--json", *where)
            retried = await ask("messages", "retry", message_id, *where)
    assert (server.published[0]["title"], server.published[0]["message"]) == ("Título", "Olá")
    assert message_id[:8] in listed
    assert [one["name"] for one in json.loads(schedules)["schedules"]] == ["scheduled_hello"]
    assert retried[0] == 1
    assert "is completed; only failed and waiting messages" in retried[2]
