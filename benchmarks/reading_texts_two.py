"""What the second family of clips says. Every line was written for it, after the reader was finished."""

LECTURE = (
    (
        "Photosynthesis in 4 steps",
        ("Light hits the leaf", "Water is split", "Sugar leaves by night", "Yield: 2.1 % on a clear day"),
    ),
    (
        "How bridges fail",
        ("Rust below the deck", "A truck of 44 t instead of 40 t", "Frost heaves the pier", "Nobody reads report 7/B"),
    ),
    (
        "Cheaper heat pumps",
        ("COP 3.8 at 7°C outside", "Pipes no longer than 15 m", "Payback: 6½ years", "Ask for the noise curve"),
    ),
    (
        "Next steps",
        ("Call Dr. Okafor (ext. 4471)", "Order 12 valves, type K-90", "Test on Friday, 14:30", "Report due 2027-02-01"),
    ),
)
POSTERS = (
    ("NIGHT MARKET", "Every Thursday until October", "Pier 9, gates open 19:00"),
    ("Slow Trains", "Twelve journeys without a plan", "by Ida Nørgaard"),
    ("RUN FOR THE RIVER", "10 km, 21 km and a kids' mile", "Sign up: run4river.org"),
)
LABEL = (
    "Ingredients: oats (62%), hazelnuts, honey, salt. May contain traces of sesame.",
    "Best before: see lid. Store dry, below 25°C. Once open, eat within 14 days.",
    "Energy 1,742 kJ / 416 kcal per 100 g; fat 14.2 g, of which saturates 1.6 g.",
    "Packed for Halden & Sons, Unit 12, Mill Lane, Ashby LE65 2FT.",
    "Recycle the tray; the film goes into general waste. Lot 7C-20913.",
    "Allergy advice: for allergens see ingredients in bold type.",
    "Portion: 45 g. This pack holds about 11 portions.",
)
RUST = (
    "pub fn window(&self, ms: u64) -> Option<&[Sample]> {",
    "    let first = self.rows.partition_point(|r| r.at < ms);",
    "    if first == self.rows.len() {",
    "        return None; // nothing yet",
    "    }",
    "    let mut total = 0_u32;",
    "    for row in &self.rows[first..] {",
    "        total += row.weight * 3;",
    "        if total > LIMIT { break; }",
    "    }",
    '    println!("{total} of {}", self.rows.len());',
    "    Some(&self.rows[first..])",
    "}",
)
QUERY = (
    "SELECT c.name, count(*) AS orders,",
    "       sum(o.total) FILTER (WHERE o.paid) AS paid",
    "FROM customers AS c",
    "JOIN orders AS o USING (customer_id)",
    "WHERE o.created_at >= '2026-07-01'",
    "  AND c.country <> 'NL'",
    "GROUP BY c.name",
    "HAVING count(*) > 5",
    "ORDER BY paid DESC NULLS LAST",
    "LIMIT 20;",
)
LOG = (
    "[12:04:51] INFO  pump-3 started, 2 retries left",
    "[12:04:52] WARN  pressure 6.8 bar above 6.5 bar",
    "[12:04:58] ERROR valve V12 did not close",
    "[12:05:01] INFO  fallback /dev/ttyUSB1 @ 9600",
    "[12:05:07] DEBUG crc=0x7f3a len=48",
    "[12:05:10] INFO  stopped after 19.4 s",
)
BUDGET_HEADERS = ("Item", "Qty", "Unit", "Price", "Total")
BUDGET = (
    ("Timber", "120", "m", "3.95", "474.00"),
    ("Screws", "2,000", "pcs", "0.04", "80.00"),
    ("Paint", "18", "l", "12.50", "225.00"),
    ("Labour", "64", "h", "38.00", "2,432.00"),
    ("Permit", "1", "set", "310.00", "310.00"),
    ("Crane", "2", "days", "540.00", "1,080.00"),
)
MEDALS_HEADERS = ("Team", "Won", "Lost", "Points")
MEDALS = (
    ("Ravens", "14", "3", "45"),
    ("Harbour FC", "12", "4", "40"),
    ("Old Mill", "9", "8", "29"),
    ("Union 1921", "7", "9", "24"),
    ("Northgate", "2", "15", "8"),
)
ACCENTS = (
    ("Die Straße ist für Fußgänger gesperrt", "Öffnungszeiten: täglich außer dienstags"),
    ("Où est passé le garçon ?", "L'été dernier, à côté du marché"),
    ("Não há pão nem maçã à mesa", "A reunião começa às três"),
    ("El niño soñó con un pingüino", "¿Cuántos años tiene?"),
    ("Zażółć gęślą jaźń", "Łódź jest większa niż Gdańsk"),
    ("Příští zastávka: Náměstí Míru", "Žluťoučký kůň úpěl"),
)
JAPANESE = ("東京駅は混んでいます", "会議は三時に始まる", "新しい本を読む", "雨の日は家にいる")
GREY = (
    "Drafts are kept for thirty days",
    "Tap twice to undo the last change",
    "No connection since 08:15",
    "Beta: figures may be late",
    "Signed in as m.keller",
)
NOTES = (
    "buy milk and two lemons",
    "call the plumber at noon",
    "return the blue ladder",
    "rent is due on the 3rd",
    "water the fern",
)
SCOREBOARD = (
    ("HOME", ("0", "1", "2")),
    ("AWAY", ("0", "0", "1")),
    ("CLOCK", ("12:40", "31:05", "58:22")),
    ("SHOTS", ("4", "9", "17")),
    ("TEMP", ("-3.5°C", "-2.0°C", "0.5°C")),
    ("CROWD", ("8,214", "8,630", "9,001")),
)
SETTINGS = (
    ("Night mode", "From 22:00 to 06:30"),
    ("Storage", "41.7 GB of 64 GB used"),
    ("Language", "English (Ireland)"),
    ("Firmware", "v3.12.0-rc2"),
    ("Backup", "Never"),
    ("Network", "garage_5GHz, -61 dBm"),
)
SIGNS = ("MIND THE GAP", "Gate 27 closes 17:55", "Danger: deep water", "Room 3400", "Keep left", "Exit only")
FILM = (
    "You were not supposed to come here.",
    "The key is under the third stone.",
    "We leave at dawn, with or without him.",
    "That was my brother's coat.",
    "Listen. Do you hear it?",
)
INTERVIEW = (
    ("I grew up on a farm", "with eleven cousins."),
    ("We had one radio", "and no telephone at all."),
    ("Then the dam was built,",),
    ("and in 1974 the valley", "was simply gone."),
)
GUESTS = (
    ("Amara Diallo", "Marine biologist"),
    ("Tom Eriksen", "Mayor of Vik, 2011-2019"),
    ("Prof. Li Wen", "Tidal energy lab"),
)
TICKER = (
    "Ferry service resumes after storm",
    "Wheat up 3.4% to 218 euros a tonne",
    "Court delays ruling on toll road until May",
    "Museum reopens with 400 new exhibits",
)
CREDITS = (
    ("Directed by", "Noor van Dijk"),
    ("Written by", "Sam Adeyemi"),
    ("Photography", "Lucía Ferrer"),
    ("Edited by", "Jonas Lindqvist"),
    ("Sound", "Priya Raman"),
    ("Music", "The Hollow Kites"),
)
TITLES = ("Part Two: The Orchard", "Three winters later", "Based on letters")
PROMPT = ("$ make install", "Copying 214 files...", "Done in 8.2 s")
BLINKS = (
    (100, "LEFT"),
    (100, "STOP NOW"),
    (150, "Level 9"),
    (200, "GOAL!"),
    (300, "Door 12"),
    (500, "Checkpoint"),
    (120, "Ready"),
)
LOGO = ("Fjordvisjon", "(c) 2026 Lindgren Foto")
VERTICAL = (
    "3 things nobody tells you",
    "about sourdough",
    "1. Your flour is alive",
    "2. Salt goes in last",
    "3. Wait 40 minutes",
    "Follow for part two",
)
