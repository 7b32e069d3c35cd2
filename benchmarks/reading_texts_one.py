"""What the first family of clips says. Every line was written for it."""

TALKS = (
    (
        "Why queues fill up",
        (
            "Arrivals come in bursts",
            "Workers wait for one slow disk",
            "A retry is another arrival",
            "Measure the oldest message, not the average",
        ),
    ),
    (
        "Three kinds of delay",
        (
            "Network: 40 ms to the far coast",
            "Disk: 8 ms per seek, 0.1 ms on flash",
            "People: two days, if you are lucky",
            "Plan for the slowest of them",
        ),
    ),
    (
        "What we changed in March",
        (
            "Checkout moved to its own service",
            "Orders are written before they are paid",
            "Refunds take 6 minutes instead of 3 hours",
            "Support calls fell by 41 %",
        ),
    ),
    (
        "Soil moisture, plot B-17",
        (
            "Sensors every 2.5 m along the row",
            "Readings at 06:00 and 18:00",
            "Drip lines opened below 23 %",
            "Harvest: 1,840 kg, up from 1,512 kg",
        ),
    ),
    (
        "Lessons for next year",
        (
            "Start the survey before the rain",
            "Label every cable at both ends",
            "Keep one spare radio per truck",
            "Write it down the same evening",
        ),
    ),
)
SLIDES_LARGE = (
    ("The Quiet Harbour", "A history of small ports", "Elena Marchetti, 2023"),
    ("Maps before satellites", "Lead lines, church towers, stars", "Chapter 4"),
    ("Who drew the coast?", "Fishermen knew what admirals guessed", "Archive no. 318"),
    ("Thank you", "Questions are welcome now", "elena@harbour-museum.org"),
)
SMALL_PRINT = (
    "Offer valid from 3 May to 14 June. Not available with other discounts.",
    "Price includes VAT at 20 %. Delivery within 48 hours on working days.",
    "Batteries (2 x AA) not included. Keep away from children under 3.",
    "Representative example: loan of 7,500 over 60 months at 6.9 % APR.",
    "Terms apply. See section 12(b) of the general conditions for details.",
    "Energy class C. Annual use 217 kWh, measured under EN 50564.",
    "May contain traces of nuts, sesame and celery. Store below 7 degrees.",
    "Images are for illustration only; colours may differ from the product.",
    "Registered office: 41 Weaver Street, Bristol BS1 6QT, no. 05512873.",
    "Calls cost 13p per minute plus your phone company's access charge.",
    "Model shown: Trail 29 with optional rack, 1,149.00 before accessories.",
    "Subject to status. Written quotations available on request.",
)
CODE = (
    "from dataclasses import dataclass, field",
    "",
    "@dataclass(frozen=True)",
    "class Interval:",
    "    start_ms: int",
    "    end_ms: int = 0",
    "",
    "    def overlaps(self, other) -> bool:",
    "        if self.end_ms <= other.start_ms:",
    "            return False",
    "        return other.end_ms > self.start_ms",
    "",
    "def merge(items: list[Interval], gap=250):",
    '    """Joins what lies closer than the gap."""',
    "    done = []",
    "    for item in sorted(items, key=lambda i: i.start_ms):",
    "        if done and item.start_ms - done[-1].end_ms < gap:",
    "            last = done.pop()",
    "            item = Interval(last.start_ms, max(last.end_ms, item.end_ms))",
    "        done.append(item)",
    "    return done",
    "",
    "assert merge([]) == []",
)
SCRIPT = (
    "export async function loadOrders(userId, { limit = 50 } = {}) {",
    "  const url = new URL(`/api/v2/users/${userId}/orders`, BASE);",
    "  url.searchParams.set('limit', String(limit));",
    "  const answer = await fetch(url, { headers: authHeaders() });",
    "  if (!answer.ok) {",
    "    throw new HttpError(answer.status, await answer.text());",
    "  }",
    "  const { orders, nextPage } = await answer.json();",
    "  return orders.map((order) => ({",
    "    ...order,",
    "    total: order.lines.reduce((sum, l) => sum + l.price * l.count, 0),",
    "    isLate: Date.parse(order.dueAt) < Date.now(),",
    "  }));",
    "}",
    "// TODO: follow nextPage when there are more than 50",
)
TERMINAL = (
    "$ git status --short",
    " M src/parser/tokens.c",
    "?? notes.txt",
    "$ make -j4 test",
    "cc -O2 -Wall -c tokens.c -o build/tokens.o",
    "ar rcs build/libparser.a build/tokens.o",
    "[  OK  ] test_numbers (0.02s)",
    "[  OK  ] test_strings (0.11s)",
    "[ FAIL ] test_unicode: expected 0x1F600, got 0xFFFD",
    "make: *** [Makefile:38: test] Error 1",
    "$ du -sh /var/log/nginx",
    "412M    /var/log/nginx",
    "$ ping -c 1 10.0.3.17",
    "64 bytes from 10.0.3.17: icmp_seq=1 ttl=64 time=0.482 ms",
)
SHEET_HEADERS = ("Region", "Q1", "Q2", "Q3", "Change", "Manager")
SHEET = (
    ("North", "12,480", "13,102", "12,977", "+4.0%", "R. Osei"),
    ("South", "8,915", "9,340", "10,226", "+14.7%", "L. Haugen"),
    ("East", "21,603", "20,888", "19,754", "-8.6%", "M. Tanaka"),
    ("West", "4,077", "4,512", "5,391", "+32.2%", "J. Whitlock"),
    ("Export", "1,307.17", "998.40", "1,120.05", "-14.3%", "A. Ferreira"),
    ("Online", "33,250", "35,871", "41,066", "+23.5%", "S. Novak"),
    ("Outlets", "702", "655", "611", "-13.0%", "P. Byrne"),
    ("Leasing", "2,940", "2,940", "3,015", "+2.6%", "K. Adeyemi"),
)
TABLE_HEADERS = ("Train", "Destination", "Departs", "Platform", "Status")
TABLE = (
    ("IC 2217", "Lakeside Central", "14:05", "3", "On time"),
    ("RE 48", "Milltown", "14:12", "7A", "Delayed 5 min"),
    ("S 11", "Airport North", "14:15", "1", "Boarding"),
    ("IC 2219", "Port Allen", "14:31", "3", "On time"),
    ("RB 906", "Old Quarry", "14:40", "8", "Cancelled"),
    ("NJ 40", "Vienna West", "21:58", "5", "On time"),
)
FILM_CAPTIONS = (
    "I told you not to open that door.",
    "They left before the bridge was closed.",
    "How many of them are still up there?",
    "Twelve. Maybe thirteen by now.",
    "Then we go tonight, with or without Carl.",
    "Listen! Somebody is on the roof.",
)
PHOTO_CAPTIONS = (
    "Room 3400",
    "Take the stairs to Level 2",
    "Open daily 9-17",
    "Tickets from $18.50",
    "Harvest Fair 2024",
    "Gate B12 is closing",
    "Best coffee in town",
    "Wet floor, walk slowly",
)
LOWER_THIRDS = (
    ("Dr. Miriam Oduya", "Marine biologist, Institute of Coastal Studies"),
    ("Tom Brackley", "Mayor of Easton since 2019"),
    ("Captain Yusuf Demir", "Harbour rescue service"),
    ("Professor Ann Lindqvist", "Department of Earth Sciences"),
)
TICKER = (
    "Storm closes northern ferry routes until Friday",
    "Central bank keeps rate at 3.25 percent",
    "Rovers beat United 2-1 after extra time",
    "New tram line opens with free rides on Sunday",
    "Wheat prices fall for the third week",
    "Museum recovers painting stolen in 1987",
)
CREDITS = (
    ("Directed by", "Ingrid Solheim"),
    ("Written by", "Paul Okafor"),
    ("Produced by", "Marta Wisniewska"),
    ("Camera", "Hideo Yamamoto"),
    ("Sound", "Claire Dubois"),
    ("Editor", "Samuel Grant"),
    ("Music", "The Kestrel Quartet"),
    ("Costumes", "Rosa Delgado"),
    ("Stunts", "Viktor Petrov"),
    ("Catering", "Green Spoon Ltd"),
)
FADES = ("In the summer of 1962", "two brothers left the valley", "and nobody asked why.", "This is their story.")
TYPED = ("Location: Cape Dorset, 64.2 N", "Date: 11 November 1997", "Status: classified")
FLASHES = (
    (33, "BLINK"),
    (80, "SPARK 7"),
    (100, "WARNING"),
    (120, "Channel 5"),
    (160, "Now or never"),
    (200, "STOP 88"),
    (280, "Press any key"),
    (400, "Round two"),
    (500, "Get ready"),
    (500, "Time is up"),
)
WATERMARK = ("Northlight Archive", "Sample copy 0047")
ACCENTS = (
    ("Größere Straßen für Fußgänger", "Über die Brücke führt kein Weg zurück", "Schöne Grüße aus Österreich"),
    ("A reunião começa às três e meia", "Não há informações disponíveis", "Segunda edição, São Paulo"),
    ("L'été dernier à la forêt de Sénart", "Où êtes-vous allés après Noël ?", "Le garçon a reçu une leçon"),
    ("Zażółć gęślą jaźń, proszę państwa", "Wrocław, ulica Świętego Mikołaja 9", "Dziękujemy za uwagę, do zobaczenia"),
)
CHINESE = (
    "欢迎来到北京大学",
    "今天的课程内容",
    "第一章 数据结构",
    "请打开手机扫描二维码",
    "会议时间 下午三点",
    "安全出口在左边",
    "天气预报 多云转晴",
    "谢谢大家",
)
PORTRAIT = (
    "Day 12 in Lisbon",
    "the view from our roof",
    "wait for it...",
    "Tag a friend who",
    "needs this holiday",
    "Recipe below",
    "3 eggs, 200 g flour",
    "bake at 180 for 25 min",
)
FAINT = (
    "Quarterly figures are provisional",
    "Source: internal survey, n = 1,204",
    "Margin of error 2.8 points",
    "Draft, do not distribute",
    "Chart redrawn from table 6",
    "Values rounded to the nearest ten",
)
HANDWRITING = (
    "Buy milk and bread",
    "call Anna about Saturday",
    "idea: smaller boxes",
    "ask Peter for the key",
    "rent is due Monday",
    "do not forget the cake",
)
COUNTERS = (
    ("CPU load", ("29.5 %", "31.2 %", "88.0 %")),
    ("Revenue", ("1,307.17", "1,311.92", "1,318.40")),
    ("Outside", ("27 °C", "26 °C", "24 °C")),
    ("Speed", ("112 km/h", "118 km/h", "97 km/h")),
    ("Altitude", ("3,048 m", "3,051 m", "3,060 m")),
    ("Score", ("12 : 9", "13 : 9", "13 : 10")),
)
SUBTITLES = (
    ("We have been waiting here since noon,", "and the train still has not come."),
    ("- Did you bring the letters?", "- All but one of them."),
    ("My father built this house", "with stones from the river."),
    ("If anyone asks, say that you were", "at the market with your sister."),
    ("Come back before the lamps are lit.",),
)
DASHBOARD = (
    ("Active users", "48,213", "+3.2 % this week"),
    ("Error rate", "0.07 %", "within budget"),
    ("P95 latency", "184 ms", "target 250 ms"),
    ("Open tickets", "37", "5 are urgent"),
    ("Disk used", "71.4 GB", "of 120 GB"),
    ("Last deploy", "build 9921", "14 minutes ago"),
)
CHAT = (
    ("Maya", "Did the parcel arrive yesterday?"),
    ("You", "Yes, around 16:30. Thanks!"),
    ("Maya", "Great, the invoice is no. 20741"),
    ("You", "I will pay it on Thursday"),
    ("Maya", "No hurry. How is the new flat?"),
    ("You", "Bright and quiet, but cold"),
    ("Maya", "Get the heating checked :)"),
)
