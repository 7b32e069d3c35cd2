"""Hits as people read them in a terminal. Pure."""

from rich.table import Table
from rich.text import Text

from sightline.api.answers.text import HitAnswer, SearchAnswer
from sightline.cli.output.jobs import harmless


def hits_table(answer: SearchAnswer) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("video", overflow="fold")
    table.add_column("time", no_wrap=True)
    table.add_column("text", overflow="fold")
    for hit in answer.hits:
        table.add_row(Text(harmless(hit.video_name)), f"{clock(hit.t_start)}–{clock(hit.t_end)}", marked(hit))
    return table


def marked(hit: HitAnswer) -> Text:
    """The text with what was found in bold. What a video shows is a stranger's, and a terminal obeys what it is sent."""
    found = Text()
    at = 0
    for mark in hit.highlights:
        found.append(harmless(hit.text[at : mark.start]))
        found.append(harmless(hit.text[mark.start : mark.end]), style="bold")
        at = mark.end
    found.append(harmless(hit.text[at:]))
    return found


def summary(answer: SearchAnswer) -> str:
    if not answer.total:
        return "nothing found"
    if answer.total == len(answer.hits):
        return f"{answer.total} found"
    first = (answer.page - 1) * answer.page_size + 1
    if not answer.hits:
        return f"{answer.total} found, none on page {answer.page}"
    return f"{first}–{first + len(answer.hits) - 1} of {answer.total} found; --page {answer.page + 1} shows more"


def clock(ms: int) -> str:
    """Time in a video: 1:05.3, or 1:02:05.3 after an hour."""
    tenths = ms // 100
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    seconds = f"{rest // 10:02}.{rest % 10}"
    return f"{hours}:{minutes:02}:{seconds}" if hours else f"{minutes}:{seconds}"
