"""Texts of generated clips: random but repeatable lines as real videos show them."""

from random import Random

_NOUNS = [
    "budget",
    "market",
    "harbour",
    "river",
    "engine",
    "garden",
    "mirror",
    "teacher",
    "planet",
    "signal",
    "letter",
    "bridge",
    "window",
    "forest",
    "station",
    "camera",
]
_OTHERS = [
    "quiet",
    "early",
    "golden",
    "northern",
    "second",
    "broken",
    "gentle",
    "modern",
    "simple",
    "hidden",
    "careful",
    "public",
    "frozen",
    "single",
    "bright",
]
_VERBS = [
    "opens",
    "follows",
    "measures",
    "returns",
    "improves",
    "replaces",
    "carries",
    "explains",
    "reaches",
    "protects",
    "supports",
    "becomes",
]
_FIRST = ["Maria", "John", "Aisha", "Pedro", "Ingrid", "Kenji", "Laura", "Samuel", "Olga", "Victor", "Helena", "Thomas"]
_LAST = [
    "Alvarez",
    "Novak",
    "Brown",
    "Santos",
    "Fischer",
    "Tanaka",
    "Moreau",
    "Okafor",
    "Lindgren",
    "Kowalski",
    "Reid",
    "Costa",
]
_ROLES = [
    "Head of Research",
    "Mayor of Rotterdam",
    "Marine Biologist",
    "Chief Economist",
    "Reporter, Channel 5",
    "Witness",
]
_PACKAGES = ["parser", "router", "scheduler", "storage", "reader", "gateway", "metrics", "planner"]


class TextGenerator:
    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def title(self) -> str:
        form = self._chance.choice(
            ["{o} {n} Review", "The {o} {n}", "{n} Strategy {y}", "How the {n} {v} the {m}", "{o} {n} & {m}"]
        )
        return self._fill(form).title().replace("The The", "The")

    def bullet(self) -> str:
        form = self._chance.choice(
            [
                "The {o} {n} {v} the {m}",
                "Revenue grew {p}% in Q{q} {y}",
                "{n} costs fell to ${c} per unit",
                "Contact: {first}@example.com",
                "See https://example.org/{n}/{y}",
                "A {o} {m} {v} every {n}",
                "{k} users in {q} regions",
                "Ship it with #{n} and #{m}",
                "Deadline: {d} March {y}",
            ]
        )
        filled = self._fill(form)
        return filled[0].upper() + filled[1:]

    def name(self) -> str:
        return f"{self._chance.choice(_FIRST)} {self._chance.choice(_LAST)}"

    def role(self) -> str:
        return self._chance.choice(_ROLES)

    def subtitle(self) -> str:
        form = self._chance.choice(
            [
                "I think the {o} {n} is over there.",
                "We have to leave before {d} o'clock!",
                "Did you see what the {n} did?",
                "Nobody told me about the {o} {m}.",
                "Yes, but {q} of them are still missing.",
                "- Where is the {n}? - In the {m}.",
                "That {n} {v} everything, you know.",
            ]
        )
        return self._fill(form)

    def command(self) -> str:
        form = self._chance.choice(
            [
                "$ git checkout -b fix/{pkg}",
                "$ pip install {pkg}=={q}.{d}.0",
                "[INFO] {pkg} started on port {port}",
                "error: cannot open '{pkg}.toml'",
                "Downloading {pkg}-{q}.{d}.tar.gz ({c} kB)",
                "tests/unit/{pkg}.py passed in {q}.{d}s",
                "warning: {d} unused imports in {pkg}",
                "Listening at http://127.0.0.1:{port}/",
                "Built 14 modules for {pkg}, {d} warnings",
                "$ curl -s localhost:{port}/health",
            ]
        )
        return self._fill(form)

    def ticker(self) -> str:
        return "   ".join(self._fill("{o} {n} {v} the {m}, {p}% more in {y}").capitalize() for _ in range(4))

    def _fill(self, form: str) -> str:
        pick = self._chance
        return form.format(
            n=pick.choice(_NOUNS),
            m=pick.choice(_NOUNS),
            o=pick.choice(_OTHERS),
            v=pick.choice(_VERBS),
            first=pick.choice(_FIRST).lower(),
            pkg=pick.choice(_PACKAGES),
            y=pick.randint(2019, 2031),
            p=pick.randint(2, 97),
            q=pick.randint(2, 9),
            d=pick.randint(10, 28),
            c=pick.randint(100, 950),
            k=f"{pick.randint(1, 99)},{pick.randint(100, 999)}",
            port=pick.randint(3000, 9000),
        )
