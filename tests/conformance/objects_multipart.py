"""The object store suite: multipart uploads."""

import asyncio

import pytest

from conformance.objects import Suite, md5, some_bytes
from sightline.errors import Conflict, InvalidInput, NotFound
from sightline.objects import ObjectStore, PartTag, StoredPart, etag_of_parts
from sightline.objects.s3 import multipart as s3_multipart


def tags(*parts: StoredPart) -> list[PartTag]:
    return [PartTag(part.number, part.etag) for part in parts]


async def refusal(objects: ObjectStore, key: str, upload_id: str, parts: list[PartTag]) -> str:
    with pytest.raises((Conflict, InvalidInput)) as translate_os_errors:
        await objects.complete_upload(key, upload_id, parts)
    return str(translate_os_errors.value.details["code"])


class MultipartSuite(Suite):
    async def test_parts_become_one_object(self, objects: ObjectStore, prefix: str):
        key, first, last = f"{prefix}/master.mp4", some_bytes(self.part), b"the end"
        upload_id = await objects.create_upload(key)
        parts = [await objects.put_part(key, upload_id, 1, first), await objects.put_part(key, upload_id, 2, last)]
        assert [(part.number, part.etag, part.size) for part in parts] == [
            (1, md5(first), self.part),
            (2, md5(last), 7),
        ]
        assert await objects.head(key) is None
        stored = await objects.complete_upload(key, upload_id, tags(*parts))
        assert (stored.key, stored.size, stored.content_type) == (key, self.part + 7, "video/mp4")
        assert stored.etag == etag_of_parts([md5(first), md5(last)])
        assert stored.etag.endswith("-2")
        seen = await objects.head(key)
        assert seen is not None
        assert (seen.size, seen.etag, seen.content_type) == (stored.size, stored.etag, stored.content_type)
        assert await objects.get(key) == first + last

    async def test_parts_are_listed_in_order_and_the_last_writer_of_one_wins(self, objects: ObjectStore, prefix: str):
        key = f"{prefix}/a.bin"
        upload_id = await objects.create_upload(key, content_type="video/special")
        assert await objects.list_parts(key, upload_id) == []
        third = await objects.put_part(key, upload_id, 3, b"three")
        await objects.put_part(key, upload_id, 1, some_bytes(self.part, 1))
        second = await objects.put_part(key, upload_id, 2, some_bytes(self.part, 2))
        first = await objects.put_part(key, upload_id, 1, some_bytes(self.part, 3))
        listed = await objects.list_parts(key, upload_id)
        assert [(one.number, one.etag, one.size) for one in listed] == [
            (one.number, one.etag, one.size) for one in (first, second, third)
        ]
        stored = await objects.complete_upload(key, upload_id, tags(first, second, third))
        assert stored.content_type == "video/special"
        assert await objects.get(key) == some_bytes(self.part, 3) + some_bytes(self.part, 2) + b"three"

    async def test_an_upload_can_be_completed_with_some_of_its_parts(self, objects: ObjectStore, prefix: str):
        key = f"{prefix}/a.bin"
        upload_id = await objects.create_upload(key)
        parts = [await objects.put_part(key, upload_id, number, some_bytes(self.part, number)) for number in (1, 2, 5)]
        stored = await objects.complete_upload(key, upload_id, tags(parts[0], parts[2]))
        assert (stored.size, stored.etag) == (2 * self.part, etag_of_parts([parts[0].etag, parts[2].etag]))
        assert await objects.get(key) == some_bytes(self.part, 1) + some_bytes(self.part, 5)

    async def test_one_small_part_is_enough(self, objects: ObjectStore, prefix: str):
        upload_id = await objects.create_upload(f"{prefix}/a")
        part = await objects.put_part(f"{prefix}/a", upload_id, 1, b"x")
        stored = await objects.complete_upload(f"{prefix}/a", upload_id, tags(part))
        assert (stored.size, stored.etag) == (1, etag_of_parts([md5(b"x")]))

    @pytest.mark.req(257)
    async def test_etags_with_and_without_quotes_are_equal(self, objects: ObjectStore, prefix: str):
        upload_id = await objects.create_upload(f"{prefix}/a")
        part = await objects.put_part(f"{prefix}/a", upload_id, 1, b"x")
        stored = await objects.complete_upload(f"{prefix}/a", upload_id, [PartTag(1, f'"{part.etag}"')])
        assert stored.size == 1

    async def test_a_completion_that_names_a_wrong_part_is_refused_and_changes_nothing(
        self, objects: ObjectStore, prefix: str
    ):
        key = f"{prefix}/a"
        upload_id = await objects.create_upload(key)
        part = await objects.put_part(key, upload_id, 1, b"x")
        assert await refusal(objects, key, upload_id, [PartTag(1, md5(b"other"))]) == "InvalidPart"
        assert await refusal(objects, key, upload_id, [*tags(part), PartTag(2, part.etag)]) == "InvalidPart"
        assert await objects.head(key) is None
        assert (await objects.complete_upload(key, upload_id, tags(part))).size == 1

    async def test_parts_out_of_order_or_no_parts_are_refused(self, objects: ObjectStore, prefix: str):
        key = f"{prefix}/a"
        upload_id = await objects.create_upload(key)
        first = await objects.put_part(key, upload_id, 1, some_bytes(self.part))
        second = await objects.put_part(key, upload_id, 2, b"x")
        assert await refusal(objects, key, upload_id, tags(second, first)) == "InvalidPartOrder"
        assert await refusal(objects, key, upload_id, tags(first, first)) == "InvalidPartOrder"
        assert await refusal(objects, key, upload_id, []) == "MalformedXML"

    async def test_a_part_that_is_too_small_is_refused_unless_it_is_the_last(self, objects: ObjectStore, prefix: str):
        key = f"{prefix}/a"
        upload_id = await objects.create_upload(key)
        small = await objects.put_part(key, upload_id, 1, b"small")
        last = await objects.put_part(key, upload_id, 2, b"x")
        assert await refusal(objects, key, upload_id, tags(small, last)) == "EntityTooSmall"
        assert len(await objects.list_parts(key, upload_id)) == 2

    @pytest.mark.req(263)
    async def test_a_completion_can_be_repeated(self, objects: ObjectStore, prefix: str):
        key = f"{prefix}/a"
        upload_id = await objects.create_upload(key)
        parts = [
            await objects.put_part(key, upload_id, 1, some_bytes(self.part)),
            await objects.put_part(key, upload_id, 2, b""),
        ]
        once = await objects.complete_upload(key, upload_id, tags(*parts))
        again = await objects.complete_upload(key, upload_id, tags(*parts))
        assert (again.size, again.etag) == (once.size, once.etag)
        with pytest.raises(NotFound):
            await objects.complete_upload(key, upload_id, tags(parts[0]))

    async def test_two_simultaneous_completions_create_one_object(self, objects: ObjectStore, prefix: str):
        key = f"{prefix}/a"
        upload_id = await objects.create_upload(key)
        part = await objects.put_part(key, upload_id, 1, some_bytes(self.part))
        stored = await asyncio.gather(*(objects.complete_upload(key, upload_id, tags(part)) for _ in range(4)))
        assert {(one.size, one.etag) for one in stored} == {(self.part, etag_of_parts([part.etag]))}
        assert await objects.get(key) == some_bytes(self.part)

    async def test_an_aborted_upload_is_gone_and_can_be_aborted_again(self, objects: ObjectStore, prefix: str):
        key = f"{prefix}/a"
        upload_id = await objects.create_upload(key)
        part = await objects.put_part(key, upload_id, 1, b"x")
        await objects.abort_upload(key, upload_id)
        await objects.abort_upload(key, upload_id)
        for call in (
            objects.list_parts(key, upload_id),
            objects.put_part(key, upload_id, 1, b"x"),
            objects.complete_upload(key, upload_id, tags(part)),
        ):
            with pytest.raises(NotFound) as translate_os_errors:
                await call
            assert translate_os_errors.value.code == "NO_SUCH_UPLOAD"
        assert await objects.head(key) is None

    async def test_an_upload_that_was_not_started_is_unknown(self, objects: ObjectStore, prefix: str):
        for upload_id in ("0" * 32, "../../etc", "x"):
            with pytest.raises(NotFound) as translate_os_errors:
                await objects.list_parts(f"{prefix}/a", upload_id)
            assert translate_os_errors.value.code == "NO_SUCH_UPLOAD"

    async def test_an_upload_belongs_to_its_key(self, objects: ObjectStore, prefix: str):
        upload_id = await objects.create_upload(f"{prefix}/a")
        with pytest.raises(NotFound):
            await objects.put_part(f"{prefix}/b", upload_id, 1, b"x")

    async def test_a_part_number_out_of_range_is_refused(self, objects: ObjectStore, prefix: str):
        upload_id = await objects.create_upload(f"{prefix}/a")
        for number in (0, -1, 10_001):
            with pytest.raises(InvalidInput):
                await objects.put_part(f"{prefix}/a", upload_id, number, b"x")

    async def test_open_uploads_can_be_found(self, objects: ObjectStore, prefix: str):
        ids = {key: await objects.create_upload(key) for key in (f"{prefix}/b", f"{prefix}/a", f"{prefix}/c/d")}
        done = await objects.create_upload(f"{prefix}/done")
        part = await objects.put_part(f"{prefix}/done", done, 1, b"x")
        await objects.complete_upload(f"{prefix}/done", done, tags(part))
        open_ones = [one async for one in objects.find_uploads(f"{prefix}/")]
        assert [(one.key, one.upload_id) for one in open_ones] == sorted(ids.items())
        assert all(one.started_at.tzinfo is not None for one in open_ones)
        assert [one.key async for one in objects.find_uploads(f"{prefix}/c")] == [f"{prefix}/c/d"]

    async def test_parts_of_several_pages_are_all_listed(
        self, objects: ObjectStore, prefix: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(s3_multipart, "PARTS_PAGE", 5)
        key, count = f"{prefix}/a", 13
        upload_id = await objects.create_upload(key)
        for number in range(1, count + 1):
            await objects.put_part(key, upload_id, number, b"%d" % number)
        assert [one.number for one in await objects.list_parts(key, upload_id)] == list(range(1, count + 1))
        await objects.abort_upload(key, upload_id)
