"""A day of a fleet: who comes when, what each costs where, and how many processes that takes. It looks at no clock and no file."""

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scale_queues import HOUR_S, Path, Station, merged, play, servers_needed

DAY_S = 24 * HOUR_S
PEAK_HOUR = 20
BATCH = 10
"""Messages that a consumer takes at once."""
FEWEST = 2
"""Processes of each kind, so that one may be lost."""
ONE = ("commits", "feed order")
"""There is one of these, whatever comes: the log of the database, and the row of a stream that numbers its messages."""
JOB_STATIONS = ("work-media", "work-text")
Figures = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Load:
    """What comes in the busiest hour: arrivals a second and mean seconds of service at a station."""

    rate: float
    service_s: float

    @property
    def cores(self) -> float:
        return self.rate * self.service_s


def weight(at_s: float, peak: float) -> float:
    """How much comes at this time of day, as a multiple of the mean; `peak` in the busiest hour."""
    return 1 + (peak - 1) * math.cos((at_s / HOUR_S - PEAK_HOUR) / 24 * 2 * math.pi)


def arrivals(per_s: float, peak: float, chance: random.Random) -> Iterator[float]:
    """Times of a day's arrivals, by chance, denser around the busiest hour (a Poisson process that is thinned out)."""
    at, most = 0.0, per_s * peak
    while (at := at + chance.expovariate(most)) < DAY_S:
        if chance.random() * peak < weight(at, peak):
            yield at


def peak_loads(figures: Figures, servers: Mapping[str, int]) -> dict[str, Load]:
    """What every station has to do in the busiest hour. The feed costs more the more API processes hear of it."""
    video, measured, feed, demand = (figures[name] for name in ("video", "measured", "feed", "demand"))
    videos = demand["videos_per_hour"] / HOUR_S * demand["peak"]
    messages = demand["messages_per_day"] / DAY_S * demand["peak"]
    feed_messages = videos * demand["feed_messages_per_video"]
    minutes, encoded = demand["minutes_per_video"], demand["encoded_share"]
    transcode = (1 - encoded) * video["transcode_copied"] + encoded * video["transcode_encoded"]
    api_processes = servers.get("api", 1)
    connects = demand["feed_clients"] * demand["reconnects_per_hour"] / HOUR_S
    api = (
        videos * measured["api_per_video"]
        + messages * measured["api_per_message"]
        + connects * figures["client"]["connect"]
        + feed_messages * (api_processes * feed["per_process"] + demand["clients_per_message"] * feed["delivery"])
    )
    consume = videos * measured["consume_per_video"] + messages * measured["consume_per_message"]
    database = (
        videos * measured["database_per_video"]
        + messages * measured["database_per_message"]
        + feed_messages * api_processes * feed["database_per_message"]
    )
    commits = videos * measured["commits_per_video"] + messages * measured["commits_per_message"]
    return {
        "api": _load(messages / BATCH, api),
        "consume": _load(messages / BATCH, consume),
        "work-media": _load(2 * videos, videos * minutes * (transcode + video["sample"])),
        "work-text": _load(2 * videos, videos * minutes * (video["ocr"] + video["segment_index"])),
        "database": _load(messages / BATCH, database),
        "commits": _load(commits, commits / figures["machine"]["commits_per_second"]),
        "feed order": _load(feed_messages, feed_messages * feed["numbering"]),
    }


def _load(rate: float, cores: float) -> Load:
    return Load(rate, cores / rate if rate else 0.0)


def fleet_for(figures: Figures) -> dict[str, int]:
    """How many processes of each kind the busiest hour takes."""
    machine = figures["machine"]
    fewest = dict.fromkeys(("api", "consume", *JOB_STATIONS), FEWEST)
    # When one is lost, the others hold its clients as well.
    fewest["api"] = max(FEWEST, 1 + math.ceil(figures["demand"]["feed_clients"] / figures["client"]["per_process"]))
    servers = {"database": int(machine["database_cores"]), "api": fewest["api"]} | dict.fromkeys(ONE, 1)
    while True:  # another API process is one more that hears of the feed
        needed = dict(servers)
        for name, load in peak_loads(figures, servers).items():
            if name != "database" and name not in ONE:
                wait = machine["max_wait_job_s" if name in JOB_STATIONS else "max_wait_message_s"]
                count = servers_needed(load.rate, load.service_s, max_wait_s=wait, max_use=machine["max_use"])
                needed[name] = max(fewest[name], count)
        if needed == servers:
            return needed
        servers = needed


def use_at_peak(figures: Figures, servers: Mapping[str, int]) -> dict[str, float]:
    """The share of each station that the busiest hour needs, and of the connections that there may be; above 1 it falls behind."""
    uses = {name: load.cores / servers[name] for name, load in peak_loads(figures, servers).items()}
    return uses | {
        "connections": figures["demand"]["feed_clients"] / (servers["api"] * figures["client"]["per_process"])
    }


def play_day(figures: Figures, servers: Mapping[str, int], *, seed: int = 1, share: float = 1.0) -> dict[str, Station]:
    """Plays the day, or the same with only a `share` of what comes, and returns the stations as it left them."""
    stations = {name: Station(name, count) for name, count in servers.items()}
    chance = random.Random(seed)
    play(
        stations,
        merged(
            _videos(figures, servers, share, random.Random(chance.random())),
            _messages(figures, share, random.Random(chance.random())),
            _connects(figures, share, random.Random(chance.random())),
        ),
    )
    return stations


def _videos(
    figures: Figures, servers: Mapping[str, int], share: float, chance: random.Random
) -> Iterator[tuple[float, Path]]:
    video, measured, feed, demand = (figures[name] for name in ("video", "measured", "feed", "demand"))
    sigma = 0.8
    mu = math.log(demand["minutes_per_video"]) - sigma**2 / 2
    steps = 4
    heard = demand["feed_messages_per_video"] / steps
    api_s = heard * (servers["api"] * feed["per_process"] + demand["clients_per_message"] * feed["delivery"])
    database_s = measured["database_per_video"] / steps + heard * servers["api"] * feed["database_per_message"]
    settling: Path = (
        ("database", database_s),
        ("commits", measured["commits_per_video"] / steps / figures["machine"]["commits_per_second"]),
        ("feed order", heard * feed["numbering"]),
        ("consume", measured["consume_per_video"] / steps),
        ("api", api_s),
    )
    for at in arrivals(demand["videos_per_hour"] / HOUR_S * share, demand["peak"], chance):
        minutes = chance.lognormvariate(mu, sigma)
        is_encoded = chance.random() < demand["encoded_share"]
        transcode_s = minutes * video["transcode_encoded" if is_encoded else "transcode_copied"]
        yield (
            at,
            (
                ("api", measured["api_per_video"]),
                *settling,
                ("work-media", transcode_s),
                *settling,
                ("work-media", minutes * video["sample"]),
                *settling,
                ("work-text", minutes * video["ocr"]),
                ("work-text", minutes * video["segment_index"]),
                *settling,
            ),
        )


def _messages(figures: Figures, share: float, chance: random.Random) -> Iterator[tuple[float, Path]]:
    measured, demand = figures["measured"], figures["demand"]
    path: Path = (
        ("api", BATCH * measured["api_per_message"]),
        ("database", BATCH * measured["database_per_message"] / 2),
        ("commits", BATCH * measured["commits_per_message"] / figures["machine"]["commits_per_second"]),
        ("consume", BATCH * measured["consume_per_message"]),
        ("database", BATCH * measured["database_per_message"] / 2),
    )
    for at in arrivals(demand["messages_per_day"] / DAY_S / BATCH * share, demand["peak"], chance):
        yield at, path


def _connects(figures: Figures, share: float, chance: random.Random) -> Iterator[tuple[float, Path]]:
    """Clients of the feed come back all day, no more in the busiest hour than in others."""
    demand = figures["demand"]
    rate = demand["feed_clients"] * demand["reconnects_per_hour"] / HOUR_S * share
    for at in arrivals(rate, 1.0, chance):
        yield at, (("api", figures["client"]["connect"]),)


def seconds_to_reconnect(figures: Figures, servers: Mapping[str, int]) -> float:
    """How long the rest of the API is busy with the clients of one process that is lost in the busiest hour."""
    left = servers["api"] - 1
    free = left - peak_loads(figures, servers)["api"].cores
    lost = figures["demand"]["feed_clients"] / servers["api"]
    return math.inf if free <= 0 else lost * figures["client"]["connect"] / free


@dataclass(frozen=True, slots=True)
class Cost:
    what: str
    dollars: float


def costs_of_videos(figures: Figures, videos: int) -> list[Cost]:
    """What so many videos cost on AWS: what document 004 counts, and what it leaves out."""
    prices, demand, video = figures["prices"], figures["demand"], figures["video"]
    encoded, minutes = demand["encoded_share"], demand["minutes_per_video"] * videos
    transcode = (1 - encoded) * video["transcode_copied"] + encoded * video["transcode_encoded"]
    cpu_h = minutes * (transcode + video["sample"] + video["ocr"] + video["segment_index"]) / HOUR_S
    database_h = videos * figures["measured"]["database_per_video"] / HOUR_S / figures["machine"]["database_cores"]
    return [
        Cost("EventBridge: one Object Created each", videos * prices["eventbridge_per_million"] / 1e6),
        Cost("EventBridge: seven moves each", 7 * videos * prices["eventbridge_per_million"] / 1e6),
        Cost("SQS: four messages each, sent, received and deleted", 12 * videos * prices["sqs_per_million"] / 1e6),
        Cost("SES: two emails each", 2 * videos * prices["ses_per_thousand"] / 1e3),
        Cost("S3: about 40 objects each", 40 * videos * prices["s3_put_per_thousand"] / 1e3),
        Cost(
            "Workers, at 70 % use",
            cpu_h * (prices["vcpu_hour"] + 2 * prices["gb_hour"]) / figures["machine"]["max_use"],
        ),
        Cost("Database, for its share of CPU", database_h * prices["database_hour"]),
    ]
