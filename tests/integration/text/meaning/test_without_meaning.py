"""Search where meaning is not installed, broken, or not possible: words are found as ever, and one line says why."""

from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import asyncpg
import pytest

from sightline.backup.database_dump import dump_database, load_database
from sightline.contracts.jobs import Embed
from sightline.db import migrate
from sightline.text.meaning import MeaningSettings, meaning_status
from support.postgres import DatabaseAddresses

TEXT = "The train leaves from platform four"


async def assert_words_alone(client, reason):
    found = (await client.get("/search", params={"q": "train"})).json()
    assert ([hit["text"] for hit in found["hits"]], found["meaning_used"]) == ([TEXT], False)
    only = await client.get("/search", params={"q": "railway", "meaning": "only"})
    assert (only.status_code, reason in only.json()["error"]["message"]) == (409, True)


@pytest.mark.req(742)
async def test_without_a_model_words_are_searched_and_the_answer_says_how_to_add_it(use, client, embedded):
    video_id = await embedded(TEXT)
    use.platform.settings.meaning.model = "no-such-model"
    await assert_words_alone(client, "neither a model that")
    about = (await client.get("/api/meaning")).json()
    assert (about["installed"], "no-such-model" in about["how_to_install"]) == (False, True)
    (row,) = await use.sql("SELECT id FROM segments WHERE video_id = $1", video_id)
    similar = await client.get("/search/similar", params={"segment_id": str(row["id"])})
    assert similar.status_code == 409
    failed = await use.run(Embed(video_id=video_id))
    assert (failed.status, failed.retry_count) == ("failed", 0)


@pytest.mark.req(742)
def test_the_line_that_offers_it_names_the_command(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    status = meaning_status(MeaningSettings(), state_dir=tmp_path)
    assert status.how_to_install == "Search by meaning is not installed; to add it, run `sightline meaning install`"
    assert meaning_status(MeaningSettings(embed="never")).is_installed is False


@pytest.mark.req(742)
async def test_the_installed_model_says_that_it_knows_english_alone(client):
    about = (await client.get("/api/meaning")).json()
    assert (about["installed"], about["how_to_install"], about["languages"]) == (True, None, ["eng"])
    assert any("other than English" in one for one in about["cannot_tell"])


@pytest.mark.req(743)
@pytest.mark.parametrize("broken", ["model.onnx", "tokenizer.json"])
async def test_a_broken_model_fails_the_job_once_and_never_a_search(use, client, shown, tmp_path, broken):
    video_id = await shown(TEXT)
    good = use.platform.meaning.status().folder
    assert good is not None
    folder = tmp_path / "broken"
    folder.mkdir()
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).write_bytes(b"not a model" if name == broken else (good / name).read_bytes())
    use.platform.settings.meaning.model = str(folder)
    failed = await use.run(Embed(video_id=video_id))
    assert (failed.status, failed.retry_count) == ("failed", 0)
    assert "is not a sentence model that can be loaded" in failed.error["message"]
    await assert_words_alone(client, "does not work at the moment")
    assert "is not a sentence model" in (await client.get("/api/meaning")).json()["problem"]


@pytest.mark.req(743)
async def test_a_database_that_lost_its_vectors_is_searched_by_words(use, client, embedded, fresh_database):
    await embedded(TEXT)
    admin = await asyncpg.connect(fresh_database.admin_url)
    await admin.execute("DROP EXTENSION vector CASCADE")  # takes the column with it, not the table
    await assert_words_alone(client, "does not work at the moment")
    await admin.execute("DROP TABLE passage_vectors")
    await assert_words_alone(client, "The database has no pgvector")
    assert "CREATE EXTENSION vector" in (await client.get("/api/meaning")).json()["how_to_install"]
    # The next start makes the table again, and forgets which videos had vectors.
    assert await migrate(fresh_database.admin_url) == []
    assert await admin.fetch("SELECT FROM embedded_videos") == []
    await admin.close()
    assert (await client.get("/search", params={"q": "railway"})).json()["meaning_used"] is True


@pytest.mark.req(744)
async def test_a_database_that_may_not_have_pgvector_gets_all_migrations_and_the_table_when_it_has_it(
    empty_database: DatabaseAddresses,
):
    admin = await asyncpg.connect(empty_database.admin_url)
    role, name = f"owner_{uuid4().hex[:8]}", await admin.fetchval("SELECT current_database()")
    await admin.execute(
        f"""CREATE ROLE {role} LOGIN CREATEROLE PASSWORD 'of-tests';
            GRANT sightline_user, sightline_worker TO {role} WITH ADMIN OPTION;
            ALTER DATABASE {name} OWNER TO {role}"""
    )
    address = urlsplit(empty_database.admin_url)
    url = urlunsplit(address._replace(netloc=f"{role}:of-tests@{address.netloc.rpartition('@')[2]}"))
    assert await migrate(url)
    own = await asyncpg.connect(url)
    assert await own.fetchval("SELECT sightline.settle_vectors()") == "not_allowed"
    assert await admin.fetchval("SELECT to_regclass('public.passage_vectors')") is None
    await admin.execute("CREATE SCHEMA extensions; CREATE EXTENSION vector SCHEMA extensions")
    await admin.execute(f"GRANT USAGE ON SCHEMA extensions TO {role} WITH GRANT OPTION")
    assert await migrate(url) == []
    assert await own.fetchval("SELECT sightline.settle_vectors()") == "ready"
    assert await admin.fetchval("SELECT relrowsecurity FROM pg_class WHERE relname = 'passage_vectors'")
    near = (
        "SELECT count(*) FROM sightline.search_meaning(NULL, NULL, array_fill(0.05::real, ARRAY[384]), 'm', 0, 9, '{}')"
    )
    assert await own.fetchval(near) == 0
    await own.close()
    await admin.execute(f"REASSIGN OWNED BY {role} TO CURRENT_USER; DROP OWNED BY {role}; DROP ROLE {role}")
    await admin.close()


@pytest.mark.req(744)
async def test_a_backup_leaves_vectors_out_and_keeps_the_extension_for_other_tables(
    fresh_database: DatabaseAddresses, empty_database: DatabaseAddresses, tmp_path
):
    admin = await asyncpg.connect(fresh_database.admin_url)
    await dump_database(fresh_database.admin_url, tmp_path / "without")
    await load_database(empty_database.admin_url, tmp_path / "without")
    restored = await asyncpg.connect(empty_database.admin_url)
    assert await restored.fetchval("SELECT count(*) FROM pg_extension WHERE extname = 'vector'") == 0
    assert await migrate(empty_database.admin_url) == []
    assert await restored.fetchval("SELECT count(*) FROM passage_vectors") == 0
    await restored.close()
    await admin.execute("CREATE TABLE notes (near sightline_vectors.vector(3))")
    assert await admin.fetchval("SELECT sightline.vectors_serve_others()")
    await dump_database(fresh_database.admin_url, tmp_path / "with", ["--format=plain"])
    assert "CREATE EXTENSION" in (tmp_path / "with").read_text()
    await admin.close()
