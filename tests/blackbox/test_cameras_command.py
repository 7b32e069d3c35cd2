"""`sightline cameras list|add|test|remove|discover` as people type them, against a running platform and cameras that answer."""

import json
from typing import Any

import pytest

from support.onvif_device import onvif_camera
from support.platform_process import ask, up
from support.rtsp_server import RtspCamera
from support.waiting import until

PASSWORD = "s3cret-of-camera"


@pytest.mark.req(664)
async def test_cameras_are_discovered_tested_added_listed_and_removed(tmp_path):
    state = tmp_path / "state"

    async def cameras(*arguments: str, answer: str = "", fails: bool = False) -> str:
        code, out, err = await ask("cameras", *arguments, "--state-dir", str(state), answer=answer)
        assert (code != 0) == fails, out + err
        assert PASSWORD not in out + err
        return err if fails else out

    async def listed() -> list[dict[str, Any]]:
        return json.loads(await cameras("list", "--json"))["cameras"]

    async with RtspCamera(user="viewer", password=PASSWORD) as camera, onvif_camera() as device:
        discovery = {
            "SIGHTLINE_CAMERAS_DISCOVERY_ADDRESS": f"127.0.0.1:{device.udp_port}",
            "SIGHTLINE_CAMERAS_DISCOVERY_WAIT_S": "1",
        }
        async with up(state, **discovery):
            assert "sightline cameras add" in await cameras("list")
            (found,) = json.loads(await cameras("discover", "--json"))["devices"]
            assert found["name"] == "Front Door"
            streams = await cameras(
                *("discover", found["xaddr"], "--username", device.username), answer=f"{device.password}\n"
            )
            assert "mainStream" in streams

            picture = tmp_path / "first.jpg"
            login = (camera.address, "--username", "viewer")
            refused = await cameras("test", *login, answer="wrong\n", fails=True)
            assert "Type them again" in refused
            tried = await cameras("test", *login, "--picture", str(picture), answer=f"{PASSWORD}\n")
            assert tried.startswith("h264, 320×240")
            assert picture.read_bytes().startswith(b"\xff\xd8")

            added = await cameras("add", "Back yard", "--address", *login, answer=f"{PASSWORD}\n")
            assert added == "Camera added: back_yard\n"

            async def is_live() -> bool:
                (one,) = await listed()
                return one["state"]["state"] == "live"

            await until(is_live)
            shown = await cameras("list")
            for text in ("back_yard", "Back yard", "stream", "live"):
                assert text in shown
            unknown = await cameras("add", "Roof", "--kind", "pigeon", fails=True)
            assert "one of stream, mjpeg, snapshot, folder, mqtt" in unknown
            await cameras("remove", "back_yard", answer="n\n", fails=True)
            assert len(await listed()) == 1
            assert await cameras("remove", "back_yard", "--yes") == "Camera removed: back_yard\n"
            assert await listed() == []
            missing = await cameras("remove", "back_yard", "--yes", fails=True)
            assert "Traceback" not in missing
            assert missing.startswith("sightline: ")
            await until(lambda: not camera.is_watched)
