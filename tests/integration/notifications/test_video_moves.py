"""A video's own moves, and the mails its owner gets of them."""

import pytest

from sightline.videos import NewVideo, VideoMoves, VideoStatus
from support.mailing import OWNER, VIDEO, body
from support.waiting import until

PAGE = "http://127.0.0.1:8400"
UP_TO_PRINTING = (
    VideoStatus.UPLOADING,
    VideoStatus.UPLOADED,
    VideoStatus.PROCESSING,
    VideoStatus.SPLITTING,
    VideoStatus.PRINTING,
)


async def _move(mailing, *statuses: VideoStatus, reason: str | None = None) -> VideoMoves:
    """A new video along its way."""
    videos = VideoMoves(mailing.bus, page_url=PAGE)
    async with mailing.database.transaction() as tx:
        await videos.create(tx, NewVideo(id=VIDEO, owner_id=OWNER, name="aula.mp4", owner_email="ana@example.com"))
        for status in statuses:
            await videos.move(tx, VIDEO, status, reason=reason if status is VideoStatus.FAILED else None)
    return videos


@pytest.mark.req(284, 285, 294)
async def test_a_video_that_is_finished_is_announced_twice(mailing, server):
    await _move(mailing, *UP_TO_PRINTING, VideoStatus.COMPLETED)
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: mailing.are("sent", "sent"))
    subjects = {arrived["Subject"]: arrived for arrived in server.received}
    assert set(subjects) == {"Quase lá: aula.mp4", "Concluído: aula.mp4"}
    assert f'href="{PAGE}/ui/videos/{VIDEO}"' in body(subjects["Concluído: aula.mp4"], "html")


@pytest.mark.req(284, 286, 300)
async def test_a_video_that_fails_twice_tells_both_reasons_and_is_almost_there_once(mailing, server):
    reason = "ocr is out of retries: the page is blank"
    way = (*UP_TO_PRINTING, VideoStatus.FAILED)
    videos = await _move(mailing, *way, reason=reason)
    async with mailing.database.transaction() as tx:
        assert await videos.resume(tx, VIDEO, reason="retried by hand") is not None
        await videos.move(tx, VIDEO, VideoStatus.FAILED, reason="again")
    async with mailing.working(mailing.smtp_worker(server)):
        await until(lambda: mailing.are("sent", "sent", "sent"))
    texts = [body(arrived, "plain") for arrived in server.received]
    assert sum("Quase lá!" in text for text in texts) == 1
    assert sum(f"Motivo: {reason}\n" in text for text in texts) == 1
    assert sum("Motivo: again\n" in text for text in texts) == 1


async def test_a_move_that_is_rolled_back_is_not_mailed(mailing, server):
    with pytest.raises(ZeroDivisionError):
        async with mailing.database.transaction() as tx:
            videos = VideoMoves(mailing.bus, page_url=PAGE)
            await videos.create(tx, NewVideo(id=VIDEO, owner_id=OWNER, name="v", owner_email="ana@example.com"))
            await videos.move(tx, VIDEO, VideoStatus.FAILED, reason="x")
            raise ZeroDivisionError
    assert await mailing.waiting() == 0
