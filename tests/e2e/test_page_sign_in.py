"""The page of a platform that wants to know who asks: the token is asked for once, and exchanged for a cookie."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.browser import ON_ITS_LOOP
from support.oidc_issuer import CLIENT_ID, CLIENT_SECRET, serving_issuer
from support.page_site import Site, check_accessible, running_site

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]


async def sign_in(page: "Page", site: Site) -> None:
    await page.goto(site.address)
    await page.get_by_role("dialog").get_by_label("Access token").fill(str(site.token))
    await page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    await page.locator(".connection.live").wait_for()


async def test_a_token_is_asked_for_and_opens_the_sample_of_a_first_visit_pictures_stream_and_live_feed(
    closed: Site, page: "Page"
) -> None:
    await page.goto(closed.address)
    await page.get_by_role("dialog").get_by_label("Access token").wait_for()
    await check_accessible(page)
    await sign_in(page, closed.user())
    sample = page.get_by_role("button", name="Try the sample video")
    await sample.wait_for()
    await check_accessible(page)
    await sample.click()
    await page.get_by_text("Sample video added.").wait_for()
    await page.get_by_role("link", name="Videos", exact=True).click()
    row = page.locator(".video-card[data-status=COMPLETED]").filter(has_text="sightline-sample.mp4")
    await row.locator("img[src$='/poster']").wait_for()
    await row.locator("h2 a").click()
    await page.locator(".text-row", has_text="Welcome to Sightline").click()
    await page.locator(".text-row.now").first.wait_for()  # a picture was seen: the stream plays


async def test_another_user_sees_nothing_of_it(closed: Site, page: "Page") -> None:
    video = {"totalSize": 1000, "filename": "of another user.mp4"}
    await closed.user().ask("POST", "/videos", json=video)
    await sign_in(page, closed.user())
    await page.get_by_role("region", name="Start here").wait_for()
    await page.goto(f"{closed.address}/ui/jobs")
    await page.get_by_text("Only operators can see").first.wait_for()


async def test_a_token_that_does_not_hold_is_asked_for_again(closed: Site, page: "Page") -> None:
    await page.goto(closed.address)
    await page.get_by_role("dialog").get_by_label("Access token").fill("nonsense")
    await page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    await page.get_by_role("alert").get_by_text("Invalid or expired token").wait_for()
    await page.get_by_role("dialog").get_by_label("Access token").wait_for()


@pytest.mark.req(364)
async def test_no_script_of_the_page_can_read_what_signs_it_in(closed: Site, page: "Page") -> None:
    user = closed.user()
    await page.add_init_script(
        f"localStorage.getItem('left') || localStorage.setItem('sightline.token', '{user.token}')"
    )
    await page.goto(closed.address)
    await page.evaluate("localStorage.setItem('left', 'by an earlier version')")
    await sign_in(page, user)
    kept = await page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert str(user.token) not in kept
    cookies = {one["name"]: one for one in await page.context.cookies()}
    session = cookies["sightline_session"]
    assert (session["httpOnly"], session["sameSite"]) == (True, "Strict")
    assert str(session["value"]) not in kept
    assert str(cookies["sightline_csrf"]["value"]) in kept


@pytest.mark.req(366)
async def test_signing_out_ends_the_session_and_asks_again(closed: Site, page: "Page") -> None:
    await sign_in(page, closed.user())
    (session,) = [one for one in await page.context.cookies() if one["name"] == "sightline_session"]
    await page.get_by_role("link", name="Settings").click()
    await page.get_by_role("button", name="Sign out").click()
    await page.get_by_role("dialog").get_by_label("Access token").wait_for()
    kept = {"cookie": f"sightline_session={session['value']}"}
    assert (await closed.client.get("/api/me", headers=kept)).status_code == 401


@pytest.mark.req(365)
async def test_a_page_of_another_origin_cannot_act_for_a_signed_in_browser(
    closed: Site, site: Site, page: "Page"
) -> None:
    """The other site stands on the same host, so that the browser sends it the same cookies; only its port differs."""
    user = closed.user()
    await sign_in(page, user)
    await page.goto(f"{site.address}/docs")
    csrf = next(str(one["value"]) for one in await page.context.cookies() if one["name"] == "sightline_csrf")
    attack = """async ([address, csrf]) => {
      const asked = {method: 'POST', credentials: 'include', mode: 'no-cors', body: '{"name": "x", "totalSize": 1}'};
      await fetch(address + '/videos', asked).catch(() => 0);
      asked.mode = 'cors';
      asked.headers = {'x-csrf-token': csrf, 'content-type': 'application/json'};
      await fetch(address + '/videos', asked).catch(() => 0);
      const socket = new WebSocket(address.replace('http', 'ws') + '/ws/events');
      return await new Promise(done => {
        socket.onmessage = event => done(event.data);
        socket.onclose = event => done(event.code);
        socket.onerror = () => done('refused');
      });
    }"""
    assert await page.evaluate(attack, [closed.address, csrf]) in (1008, "refused")
    assert (await user.ask("GET", "/videos"))["videos"] == []


@pytest.mark.req(1050)
async def test_people_sign_in_at_an_issuer_come_back_to_their_page_and_sign_out_there_too(
    page: "Page", tmp_path: Path
) -> None:
    settings = {
        "SIGHTLINE_AUTH_OIDC_CLIENT_ID": CLIENT_ID,
        "SIGHTLINE_AUTH_OIDC_CLIENT_SECRET": CLIENT_SECRET,
        "SIGHTLINE_AUTH_OIDC_ALLOW_PRIVATE": "true",
        "SIGHTLINE_AUTH_OIDC_NAME": "Example",
    }
    async with (
        serving_issuer(people={"ann": {"email": "ann@example.com"}}) as issuer,
        running_site(tmp_path / "state", SIGHTLINE_AUTH_OIDC_ISSUER=issuer.url, **settings) as site,
    ):
        issuer.redirect_uris.append(f"{site.address}/api/session/oidc/callback")
        await page.goto(f"{site.address}/ui/videos?tag=mine")
        await page.get_by_role("link", name="Sign in with Example").wait_for()
        assert await page.get_by_label("Access token").count() == 0, "no token can be valid here"
        await check_accessible(page)
        await page.get_by_role("link", name="Sign in with Example").click()
        await page.get_by_label("User name").fill("nobody")
        await page.get_by_role("button", name="Continue").click()
        await page.get_by_role("alert").get_by_text("was cancelled").wait_for()
        assert page.url == f"{site.address}/ui/videos?tag=mine", "the problem is shown once"
        await page.get_by_role("link", name="Sign in with Example").click()
        await page.get_by_label("User name").fill("ann")
        await page.get_by_role("button", name="Continue").click()
        await page.locator(".connection.live").wait_for()
        assert page.url == f"{site.address}/ui/videos?tag=mine"
        await page.get_by_role("link", name="Settings").click()
        await page.get_by_text("ann@example.com").wait_for()
        await page.get_by_role("button", name="Sign out").click()
        await page.get_by_role("link", name="Sign in with Example").wait_for()
        assert [one["client_id"] for one in issuer.signed_out] == [CLIENT_ID]
