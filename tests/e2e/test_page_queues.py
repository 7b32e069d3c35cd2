"""Queues and topics in the browser: what clients created, trying a policy, and connecting with an AWS SDK."""

import asyncio
import os
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from playwright.async_api import expect

from support.browser import ON_ITS_LOOP
from support.emulators import PYTHON
from support.page_site import Site, check_accessible, check_every_look
from support.waiting import soon

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [ON_ITS_LOOP]

PARTS = "/ui/jobs/queues?part="


@pytest.fixture(scope="module")
def site(closed: Site) -> Site:
    return closed.user(is_operator=True)


@pytest_asyncio.fixture(loop_scope="session")
async def page(page: "Page", site: Site) -> "Page":
    await site.let_in(page)
    return page


async def _run_python(code: str, **environment: str) -> str:
    process = await asyncio.create_subprocess_exec(
        str(PYTHON),
        "-c",
        code,
        env={**os.environ, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


@pytest.mark.req(506, 508)
async def test_a_key_made_in_the_page_runs_the_printed_example_and_its_queue_is_shown(site: Site, page: "Page") -> None:
    await page.goto(f"{site.address}{PARTS}connect")
    box = page.get_by_role("region", name="Connect with an AWS SDK")
    await expect(box).to_contain_text(site.address)
    await box.get_by_role("button", name="New access key").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("bus:use")).to_be_checked()
    await dialog.get_by_label("Name").fill("shop")
    await dialog.get_by_role("button", name="Create key").click()
    names = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
    variables = {name: await dialog.get_by_label(name).input_value() for name in names}
    await check_accessible(page)
    await dialog.get_by_role("button", name="Done").click()
    await dialog.get_by_role("button", name="Close").click()
    example = await box.locator("pre").last.inner_text()
    assert len(example.strip().splitlines()) == 6
    assert await soon(_run_python(example, **variables)) == "Hello from boto3\n"

    await page.get_by_role("button", name="Queues", exact=False).first.click()
    row = page.get_by_role("row", name="hello")
    await expect(row).to_contain_text("account")
    await expect(row.get_by_role("cell").nth(1)).to_have_text("1")  # received by the example, not deleted
    await row.get_by_role("button", name="Details of hello").click()
    details = page.locator(".queue-details")
    await expect(details).to_contain_text(str(site.user_id))
    await expect(details).to_contain_text("/hello")
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await details.get_by_role("button", name="Copy ARN").click()
    await expect(page.locator(".toast")).to_contain_text("ARN copied")
    assert (await page.evaluate("navigator.clipboard.readText()")).endswith(":hello")
    await page.evaluate("scrollTo(0, 0)")  # what lies half below the bar at the top is too small to be a target
    await check_every_look(page)


@pytest.mark.req(506)
async def test_topics_and_rules_are_shown_and_their_policies_can_be_tried(site: Site, page: "Page") -> None:
    await page.goto(f"{site.address}{PARTS}topics")
    alerts = page.get_by_role("row").filter(has_text="Alerts")
    await alerts.get_by_role("button", name="Try the filter policy").click()
    form = page.get_by_role("form", name="Try this policy")
    await expect(form.get_by_label("Filter policy")).to_have_value('{\n  "message_type": ["alert_notification"]\n}')
    await form.get_by_label("Message attributes (JSON)").fill('{"message_type": "hello"}')
    await form.get_by_role("button", name="Try", exact=True).click()
    await expect(form.get_by_role("status")).to_contain_text("Doesn't match")
    await expect(form.get_by_role("status")).to_contain_text("message_type")
    await form.get_by_label("Message attributes (JSON)").fill('{"message_type": "alert_notification"}')
    await form.get_by_role("button", name="Try", exact=True).click()
    await expect(form.get_by_role("status")).to_contain_text("Matches")
    await form.get_by_label("Filter policy").fill('{"message_type": "alert_notification"}')
    await form.get_by_role("button", name="Try", exact=True).click()
    await expect(form).to_contain_text("must be an object or an array")
    await check_every_look(page)
    await page.get_by_role("button", name="Event rules").click()
    await expect(page.get_by_role("listitem").filter(has_text="video-upload-completed")).to_contain_text(
        "Uploads completed"
    )
    await check_accessible(page)
    await page.get_by_role("button", name="Topics").click()
    await check_every_look(page)
