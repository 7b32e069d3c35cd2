"""A day of a fleet, played through measured costs: what breaks first, how many processes it takes, what to add, and what it costs.

python benchmarks/scale.py                 the day of scale_measures.toml: 1,000 videos an hour, 10 million messages, 50,000 clients
python benchmarks/scale.py --times 3       three times as much of everything
python benchmarks/scale.py --measure       what a video and a message cost the database, API and consumers here
python benchmarks/scale.py --quick         one per cent of the day, to see that it works
"""

import argparse
import asyncio
import tomllib
from collections.abc import Mapping
from pathlib import Path

from scale_day import ONE, Figures, costs_of_videos, fleet_for, peak_loads, play_day, seconds_to_reconnect, use_at_peak
from scale_queues import Station

FIGURES = Path(__file__).with_name("scale_measures.toml")
REMEDIES = {
    "connections": "more `sightline api`, or more connections for each (SIGHTLINE_API_MAX_CONNECTIONS, and open files)",
    "api": "more `sightline api` behind the load balancer; each hears of every message of the feed",
    "consume": "more `sightline consume`",
    "work-media": "more `sightline work --types transcode,sample,clip_generate`",
    "work-text": "more `sightline work --types ocr,segment_index`",
    "database": "a database with more cores; after that, messages to DynamoDB (SIGHTLINE_MESSAGES_BACKEND) and the bus to SQS",
    "feed order": "fewer messages on the feed: a stream has one order, in which each waits for the commit of the one before",
    "commits": "a faster disk for the log of the database; after that, messages to DynamoDB",
}
DOCUMENT_004 = (
    ("EventBridge (Object Created)", 0.01),
    ("EventBridge (Status Changed)", 0.03),
    ("SQS (split queue)", 0.004),
    ("SQS (print queue)", 0.04),
    ("SES (30,000 emails)", 0.30),
)


def times_as_much(figures: Figures, times: float) -> Figures:
    """The same demand, so many times."""
    more = ("videos_per_hour", "messages_per_day", "feed_clients", "clients_per_message")
    demand = {name: value * times if name in more else value for name, value in figures["demand"].items()}
    return {**figures, "demand": demand}


def breaking_points(figures: Figures, servers: Mapping[str, int]) -> list[tuple[str, float]]:
    """By how much the demand may grow until each station is busy all of the busiest hour; the first to break comes first."""
    return sorted(
        ((name, 1 / use) for name, use in use_at_peak(figures, servers).items() if use), key=lambda one: one[1]
    )


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def seconds(value: float) -> str:
    if value >= 3600:
        return f"{value / 3600:.1f} h"
    return f"{value:.1f} s" if value >= 1 else f"{value * 1000:.1f} ms"


def stations_table(stations: Mapping[str, Station]) -> str:
    rows = [
        [
            one.name,
            str(one.servers),
            f"{one.busiest:.0%}",
            seconds(one.waits.mean_s),
            seconds(one.waits.quantile(0.95)),
            seconds(one.waits.longest_s),
        ]
        for one in stations.values()
    ]
    return table(["station", "servers", "busiest hour", "mean wait", "p95", "longest"], rows)


def report(figures: Figures, share: float) -> str:
    small = (
        dict.fromkeys(("api", "consume", "work-media", "work-text"), 1)
        | {"database": int(figures["machine"]["database_cores"])}
        | dict.fromkeys(ONE, 1)
    )
    loads = peak_loads(figures, small)
    needed = fleet_for(figures)
    parts = ["## What breaks first", "", "With one process of each kind, at this share of the demand:", ""]
    parts.append(
        table(
            ["station", "breaks at", "cores in the busiest hour", "what to add"],
            [
                [
                    name,
                    f"{at:.1%} of it" if at < 1 else f"{at:.1f} times it",
                    f"{loads[name].cores:.1f}" if name in loads else "–",
                    REMEDIES[name],
                ]
                for name, at in breaking_points(figures, small)
            ],
        )
    )
    parts += [
        "",
        "## The fleet for it, and the day that it has",
        "",
        stations_table(play_day(figures, needed, share=share)),
    ]
    clients, processes = figures["demand"]["feed_clients"], needed["api"]
    memory = f"{clients * figures['client']['memory_kib'] / 1024:,.0f} MiB"
    back = seconds(seconds_to_reconnect(figures, needed))
    parts += [
        "",
        f"{clients:,.0f} clients of the feed hold {memory} in all API processes. When one of {processes} of these is lost in",
    ]
    parts += [f"the busiest hour, its clients are back after {back} of work."]
    parts += ["", "## What breaks next, with that fleet", ""]
    parts.append(
        table(
            ["station", "breaks at", "what to add"],
            [[name, f"{at:.2f} times", REMEDIES[name]] for name, at in breaking_points(figures, needed)],
        )
    )
    parts += ["", "## 10,000 videos", ""]
    costs = costs_of_videos(figures, 10_000)
    rows = [[f"document 004: {name}", f"{dollars:.3f}"] for name, dollars in DOCUMENT_004]
    rows += [["**document 004**", f"**{sum(dollars for _, dollars in DOCUMENT_004):.2f}**"]]
    rows += [[one.what, f"{one.dollars:.3f}"] for one in costs]
    rows += [["**here**", f"**{sum(one.dollars for one in costs):.2f}**"]]
    parts.append(table(["", "US$"], rows))
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=float, default=1.0, help="so many times the demand")
    parser.add_argument("--figures", type=Path, default=FIGURES, help="another file of figures")
    parser.add_argument("--measure", action="store_true", help="measure instead of play")
    parser.add_argument("--quick", action="store_true", help="little of everything, to see that it works")
    chosen = parser.parse_args()
    if chosen.measure:
        from scale_measure import measure

        asyncio.run(measure(is_quick=chosen.quick))
        return
    figures = times_as_much(tomllib.loads(chosen.figures.read_text()), chosen.times)
    print(report(figures, 0.01 if chosen.quick else 1.0))


if __name__ == "__main__":
    main()
