"""The preferences' addresses in the page: pending until confirmed by the link, the code, or the webhook's answer."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from support.browser import ON_ITS_LOOP
from support.mailing import MailServer, body, mail_server
from support.ntfy_server import Asked, HttpDouble, NtfyServer, ntfy_server
from support.page_site import SECRET, Site, check_every_look, running_site
from support.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]


class Receiver(HttpDouble):
    """A webhook that returns challenges."""

    def answer(self, asked: Asked) -> tuple[int, dict[str, str], bytes]:
        return 200, {}, json.dumps({"challenge": json.loads(asked.body).get("challenge")}).encode()


@dataclass
class Outside:
    site: Site
    mails: MailServer
    ntfy: NtfyServer
    receiver: Receiver


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def outside(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Outside]:
    """A platform with sign-in that sends to servers outside of it."""
    receiver = Receiver()
    await receiver.start()
    async with (
        mail_server() as mails,
        ntfy_server() as ntfy,
        running_site(
            tmp_path_factory.mktemp("addresses") / "state",
            SIGHTLINE_AUTH_JWT_SECRET=SECRET,
            SIGHTLINE_NOTIFICATIONS_CHANNEL="smtp",
            SIGHTLINE_NOTIFICATIONS_FROM_ADDRESS="Sightline <s@example.com>",
            SIGHTLINE_NOTIFICATIONS_SMTP_HOST="127.0.0.1",
            SIGHTLINE_NOTIFICATIONS_SMTP_PORT=str(mails.port),
            SIGHTLINE_NOTIFICATIONS_SMTP_TLS="none",
            SIGHTLINE_NOTIFICATIONS_LANGUAGE="en",
            SIGHTLINE_PUSH_NTFY_SERVER=ntfy.url,
            SIGHTLINE_PUSH_WEBHOOK_ALLOW_PRIVATE="true",
        ) as site,
    ):
        yield Outside(site, mails, ntfy, receiver)
    await receiver.stop()


@pytest.mark.req(338, 340, 347)
async def test_addresses_are_confirmed_in_the_page(outside: Outside, page: "Page") -> None:
    user = outside.site.user()
    await user.let_in(page)
    await page.goto(f"{user.address}/ui/messages/preferences")
    await page.get_by_label("Email address").fill("ana@example.com")
    await page.get_by_label("ntfy topic").fill("ana-1")
    await page.get_by_label("Webhook URL").fill(f"{outside.receiver.url}/hook")
    await page.get_by_role("button", name="Save").click()
    states = page.get_by_role("list", name="Confirmation of destinations")
    await states.get_by_text("Pending").nth(2).wait_for()

    email = states.get_by_role("listitem").filter(has_text="ana@example.com")
    await email.get_by_role("button", name="Send again").click()
    await email.get_by_role("alert").wait_for()  # too soon
    await until(lambda: len(outside.mails.received) == 1)
    link = re.search(r"http\S+/confirm-address\?token=\S+", body(outside.mails.received[0], "plain"))
    assert link is not None
    other = await page.context.new_page()
    await other.goto(link[0])
    await other.get_by_role("button", name="Confirm").click()
    await other.get_by_role("status").get_by_text("ana@example.com").wait_for()

    topic = states.get_by_role("listitem").filter(has_text="ana-1")
    await until(lambda: len(outside.ntfy.published) == 1)
    code = re.search(r"\d{8}", outside.ntfy.published[0]["title"])
    assert code is not None
    await topic.get_by_label("Code").fill(code[0])
    await topic.get_by_role("button", name="Confirm").click()
    await topic.get_by_text("Confirmed").wait_for()

    webhook = states.get_by_role("listitem").filter(has_text="/hook")
    await webhook.get_by_role("button", name="Create secret").click()
    await page.get_by_role("dialog").get_by_text("whsec_").wait_for()
    await page.get_by_role("dialog").get_by_role("button", name="Close").click()
    await webhook.get_by_role("button", name="Check now").click()
    await webhook.get_by_text("Confirmed").wait_for()
    await (
        webhook.get_by_role("button", name="Create secret")
        .or_(webhook.get_by_role("button", name="Rotate secret"))
        .wait_for()
    )

    await page.reload()
    await states.get_by_text("Confirmed").nth(2).wait_for()
    await webhook.get_by_role("button", name="Rotate secret").wait_for()
    assert await page.get_by_text("whsec_").count() == 0
    await check_every_look(page)


@pytest.mark.req(344)
async def test_where_nothing_leaves_the_machine_the_page_says_that_no_confirmation_is_needed(
    site: Site, page: "Page"
) -> None:
    await page.goto(f"{site.address}/ui/messages/preferences")
    await page.get_by_label("Email address").fill("somebody@example.com")
    await page.get_by_role("button", name="Save").click()
    states = page.get_by_role("list", name="Confirmation of destinations")
    row = states.get_by_role("listitem").filter(has_text="somebody@example.com")
    await row.get_by_text("No confirmation needed").wait_for()
    assert await row.get_by_role("button", name="Send again").count() == 0
