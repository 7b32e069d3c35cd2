"""Mails from outside: what a mail server receives, and what the outbox says without one."""

import json

import httpx
import pytest

from support.mailing import body, mail_server
from support.platform_process import ask, up
from support.waiting import until

PDF = b"%PDF-1.7\n" + b"0" * 1000


async def upload(http: httpx.AsyncClient, name: str) -> str:
    """Uploads a file that is not a video; returns the video's id."""
    new = {"totalSize": len(PDF), "filename": name, "extension": "mp4", "duration": 1000}
    video_id = (await http.post("/videos", json=new)).json()["videoId"]
    url = (await http.get(f"/videos/{video_id}/upload-urls")).json()["urls"][0]["url"]
    etag = (await http.put(url, content=PDF)).headers["etag"]
    done = await http.post(f"/videos/{video_id}/complete", json={"parts": [{"part": 1, "etag": etag}]})
    assert done.is_success, done.text
    return str(video_id)


@pytest.mark.req(286, 447, 448)
async def test_mails_are_english_until_their_reader_chooses_portuguese(tmp_path):
    async with mail_server() as server:
        settings = {
            "SIGHTLINE_NOTIFICATIONS_CHANNEL": "smtp",
            "SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS": "videos@example.com",
            "SIGHTLINE_NOTIFICATIONS_SMTP_HOST": "127.0.0.1",
            "SIGHTLINE_NOTIFICATIONS_SMTP_PORT": str(server.port),
            "SIGHTLINE_NOTIFICATIONS_SMTP_TLS": "none",
        }
        async with (
            up(tmp_path / "state", **settings) as platform,
            httpx.AsyncClient(base_url=platform.address, timeout=None) as http,
        ):
            await upload(http, "first.mp4")
            await until(lambda: len(server.received) == 1, within_s=60)
            chosen = await http.put("/api/notification-preferences", json={"language": "pt"})
            assert chosen.json()["preferences"]["language"] == "pt"
            await upload(http, "segundo.mp4")
            await until(lambda: len(server.received) == 2, within_s=60)
    english, portuguese = server.received
    assert english["Subject"] == "Failed: first.mp4"
    assert "Reason: the file is not a video but a PDF document\n" in body(english, "plain")
    assert portuguese["Subject"] == "Falha: segundo.mp4"
    assert "Motivo: o arquivo não é um vídeo, e sim um documento PDF\n" in body(portuguese, "plain")


@pytest.mark.req(449)
async def test_without_a_mail_server_nothing_is_called_sent(tmp_path):
    state = tmp_path / "state"
    async with up(state) as platform, httpx.AsyncClient(base_url=platform.address, timeout=None) as http:
        video_id = await upload(http, "first.mp4")

        async def kept():
            return (await http.get("/api/mails", params={"video_id": video_id, "status": "kept"})).json()["mails"]

        async def is_kept():
            return bool(await kept())

        await until(is_kept, within_s=60)
        (mail,) = await kept()
        assert (mail["status"], mail["sent_at"]) == ("kept", None)
        refused = await http.post(f"/api/mails/{mail['mail_id']}/resend")
        assert (refused.status_code, "no mail server is set" in refused.text) == (409, True)
        metrics = (await http.get("/metrics")).text
        counted = [line for line in metrics.splitlines() if line.startswith("sightline_mails_total{")]
        assert any('outcome="kept"' in line for line in counted)
        assert not any('outcome="sent"' in line for line in counted)
        code, out, err = await ask("outbox", "--state-dir", str(state), COLUMNS="200")
        assert code == 0, err
        assert "kept here: no mail server set" in out
        assert "sent" not in out
        code, out, err = await ask("outbox", "--json", "--state-dir", str(state))
        assert code == 0, err
        assert {one["status"] for one in json.loads(out)["mails"]} == {"kept"}
