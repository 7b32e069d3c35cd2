"""What the third family of clips says. Every line was written for it, after lone signs, typed lines and wide items were done."""

KOTLIN = (
    "data class Route(val id: Int, val stops: List<Stop>)",
    "",
    "fun Route.next(now: Instant): Stop? {",
    "    val left = stops.filter { it.at > now && !it.closed }",
    "    if (left.isEmpty()) {",
    '        log.warn { "route $id has ended" }',
    "        return null",
    "    }",
    "    return left.minByOrNull { it.at - now }",
    "}",
    "",
    "suspend fun poll(every: Long = 30_000L) = coroutineScope {",
    "    while (isActive) {",
    "        launch { refresh(force = false) }",
    "        delay(every)",
    "    }",
    "}",
)
YAML = (
    "name: nightly",
    "on:",
    "  schedule:",
    "    - cron: '15 3 * * 1-5'",
    "jobs:",
    "  backup:",
    "    runs-on: ubuntu-24.04",
    "    timeout-minutes: 45",
    "    env:",
    "      BUCKET: s3://keep/weekly",
    "    steps:",
    "      - uses: actions/checkout@v4",
    "      - run: ./dump.sh --all > dump.sql",
    "      - if: failure()",
)
TERMS = (
    "1. The deposit of 150.00 is returned within 10 working days after inspection.",
    "2. Damage must be reported by e-mail to claims@hireandgo.example before 18:00.",
    "3. The vehicle may not leave the country without a permit (see clause 7b).",
    "4. Fuel: return full, or pay 2.35 per litre plus a fee of 12.",
    "5. Drivers under 23 pay a surcharge of 9.90 per day, at most 99.",
    "6. Late return costs half a day's rent for each hour begun.",
)
TIMETABLE_HEADERS = ("Train", "To", "Dep.", "Arr.", "Plat.")
TIMETABLE = (
    ("RE 4", "Ashford", "07:12", "08:40", "3"),
    ("IC 209", "Port Ellis", "07:25", "09:02", "7"),
    ("S 11", "Westmill", "07:31", "07:58", "1"),
    ("RB 62", "Upper Vale", "07:44", "08:55", "2a"),
    ("ICE 580", "Kronstadt", "08:03", "11:20", "9"),
)
QUIZ = ("Which planet has the shortest day?", "How many bones has an adult hand?")
CHOICES = (
    (("A", "Jupiter"), ("B", "Mars"), ("C", "Venus"), ("D", "Neptune")),
    (("A", "19"), ("B", "23"), ("C", "27"), ("D", "31")),
)
BOARD = (
    ("Soup of the day", "4.80"),
    ("Grilled halloumi (v)", "9.50"),
    ("Fish & chips", "13.20"),
    ("Lemon tart", "5.60"),
    ("Flat white", "3.40"),
    ("Iced tea, 0.4 l", "3.90"),
)
OUTLINED = (
    "Day 3: across the ridge",
    "Camp at 2,340 m",
    "Wind 60 km/h, gusts 85",
    "No signal until Saturday",
    "Rope team B turns back",
    "Summit at 11:52",
)
FILM = (
    "I told you to lock the boathouse.",
    "He paid in silver, all 30 coins.",
    "Then who is driving the truck?",
    "Wait for me at platform 6.",
    "Nothing here is what it was.",
)
CREDITS = (
    "Production design",
    "Marta Oliveira",
    "Costumes",
    "Henrik Sandvik",
    "Stunt team",
    "Ayo Balogun",
    "Yuki Tanabe",
    "Colour grading",
    "Studio Nine, Lisbon",
    "Shot on location in 1998",
)
TICKER = (
    "Heavy snow closes the northern pass; lorries over 7.5 tonnes must use the coast road until Thursday at noon, police say",
    "Lira at 48.2",
    "Parliament approves the 3.9 billion rail plan by 212 votes to 187 after a debate of eleven hours and two late amendments",
    "Derby ends 2-2",
)
TYPED = ("$ ssh deploy@10.0.4.17", "Last login: Tue Mar 3", "$ df -h /srv", "Use% 84, 61G free", "$ exit")
TALK = (
    (
        "Why cities flood",
        ("More asphalt, less soil", "Drains from 1932", "Rain: +18 % since 1990", "A park is cheaper than a pipe"),
    ),
    (
        "What helped in Rotvik",
        ("Green roofs on 40 schools", "Ponds of 2,500 m3", "Sensors every 200 m", "One person in charge"),
    ),
)
