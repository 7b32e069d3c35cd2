"""Correlation ids: which are taken over, and how far they reach."""

import asyncio
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.observability import accept_correlation_id, correlation_id, work_context


@pytest.mark.req(296)
@pytest.mark.parametrize("offered", ["a", "req-1", "6d0c8a4e-8f0b", "a.b_c:d/e+f=g@h", "x" * 128])
def test_a_fit_id_is_taken_over(offered: str):
    assert accept_correlation_id(offered) == offered


@pytest.mark.req(296)
@pytest.mark.parametrize(
    "offered",
    [
        None,
        "",
        " ",
        "a b",
        "x" * 129,
        "id\r\nset-cookie: a=b",
        "id\n",
        "\nid",
        "id\x00",
        "id\x1b[2J",
        "id\u2028",
        "ïd",
        "١٢٣",
        '{"a":1}',
        "<script>",
        "a;b",
        "a,b",
        "$(id)",
        "%0d%0a",
    ],
)
def test_an_unfit_id_is_replaced_by_a_new_one(offered: str | None):
    accepted = accept_correlation_id(offered)
    assert accepted != offered
    assert uuid.UUID(accepted).version == 4


@pytest.mark.req(296)
@given(st.text())
def test_whatever_is_offered_what_comes_out_is_one_harmless_word(offered: str):
    accepted = accept_correlation_id(offered)
    assert accepted.isascii()
    assert accepted.isprintable()
    assert 1 <= len(accepted) <= 128
    assert not set(accepted) & set(" \"'<>;,%{}$`\\")


@pytest.mark.req(296)
def test_new_ids_differ():
    assert accept_correlation_id(None) != accept_correlation_id(None)


def test_outside_of_work_there_is_no_id():
    assert correlation_id() is None


def test_inside_a_block_the_id_is_known_and_afterwards_gone():
    with work_context(correlation_id="outer"):
        assert correlation_id() == "outer"
    assert correlation_id() is None


def test_an_inner_block_gives_the_outer_id_back():
    with work_context(correlation_id="outer"):
        with work_context(correlation_id="inner"):
            assert correlation_id() == "inner"
        assert correlation_id() == "outer"


def test_an_id_that_is_none_does_not_hide_the_one_at_hand():
    with work_context(correlation_id="outer"), work_context(correlation_id=None, job_id="7"):
        assert correlation_id() == "outer"


def test_an_error_does_not_leave_the_id_behind():
    with pytest.raises(RuntimeError), work_context(correlation_id="x"):
        raise RuntimeError
    assert correlation_id() is None


async def test_two_works_at_once_keep_their_ids_apart():
    barrier = asyncio.Barrier(2)

    async def work(name: str) -> str | None:
        with work_context(correlation_id=name):
            await barrier.wait()
            return correlation_id()

    first, second = await asyncio.gather(work("a"), work("b"))
    assert (first, second) == ("a", "b")
