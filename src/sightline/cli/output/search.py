"""Search results as text and tables. Pure."""

from rich.table import Table
from rich.text import Text

from sightline.api.answers.search import SearchAnswer
from sightline.api.answers.text import HitAnswer
from sightline.cli.output.durations import media_time
from sightline.cli.output.tables import new_table
from sightline.observability import escape_controls


def hits_table(answer: SearchAnswer) -> Table:
    table = new_table("video", "time", "text")
    for hit in answer.hits:
        table.add_row(
            Text(escape_controls(hit.video_name)), f"{media_time(hit.t_start)}–{media_time(hit.t_end)}", marked(hit)
        )
    return table


def named_table(answer: SearchAnswer) -> Table:
    """Videos, techniques and cameras that were found by name."""
    table = new_table("kind", "name", "where")
    for hit in answer.named:
        at = "" if hit.t_start is None else f"{hit.video_name} {media_time(hit.t_start)}"
        where = at or hit.camera_id or str(hit.video_id)
        table.add_row(hit.kind, Text(escape_controls(hit.name)), Text(escape_controls(where)))
    return table


def marked(hit: HitAnswer) -> Text:
    """The lines that a match touches, with the matches in bold; a label before what is only similar in meaning."""
    found = Text("Similar in meaning: ", style="dim") if hit.matched == "meaning" else Text()
    for number, line in enumerate(hit.lines):
        found.append(" / " if number else "")
        at = 0
        for mark in line.highlights:
            found.append(escape_controls(line.text[at : mark.start]))
            found.append(escape_controls(line.text[mark.start : mark.end]), style="bold")
            at = mark.end
        found.append(escape_controls(line.text[at:]))
    return found


def summary(answer: SearchAnswer) -> str:
    if not answer.total:
        return "No results" if not answer.named else f"No text, {len(answer.named)} by name"
    results = "1 result" if answer.total == 1 else f"{answer.total} results"
    if answer.total == len(answer.hits):
        return results
    first = (answer.page - 1) * answer.page_size + 1
    if not answer.hits:
        return f"{results}, none on page {answer.page}"
    return f"{first}–{first + len(answer.hits) - 1} of {results}; --page {answer.page + 1} shows more"
