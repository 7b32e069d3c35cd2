"""What the fourth family of clips says. Every line was written for it, before the misses of the other families were looked at."""

CAMERA_TALK = (
    (
        "Sleep and the immune system",
        ("7 to 9 hours, not 5", "T cells drop by 28 %", "Naps help, alcohol does not", "Source: Ludlow et al., 2019"),
    ),
    (
        "What we still don't know",
        ("Does timing matter?", "Shift work: n = 1,204", "Effects after age 65", "Next trial: spring 2027"),
    ),
)
SQUEEZED_TALK = (
    (
        "Quarterly review: Q3",
        ("Revenue 4.2 M, up 11 %", "Churn down to 2.3 %", "Two offices merged", "Hiring resumes in May"),
    ),
    ("Risks we carry", ("One supplier for hinges", "Lease ends 31 March", "Servers from 2017", "Backup tested once")),
)
PHONE = (
    ("Today", "Groceries at the market", "8:30"),
    ("Today", "Call the plumber back", "10:15"),
    ("Today", "Train to Aveiro, coach 21", "13:05"),
    ("Tomorrow", "Dentist (bring X-ray)", "9:00"),
    ("Tomorrow", "Pick up Jonas, gate B", "16:40"),
    ("Friday", "Pay rent: 870.00", "all day"),
    ("Friday", "Return library books", "17:30"),
    ("Saturday", "Hike with Inês & Tom", "7:45"),
    ("Sunday", "Water the neighbour's plants", "11:00"),
)
CHAT = (
    ("Rosa", "Did the courier come yet?"),
    ("Me", "No, he rang at the wrong door"),
    ("Rosa", "Parcel no. JD0146 8823"),
    ("Me", "It says: back at the depot"),
    ("Rosa", "I can be there by 6"),
    ("Me", "Thanks! They close at 18:30"),
    ("Rosa", "Do I need your passport?"),
    ("Me", "A photo of it is enough"),
)
GAUGES = (
    ("Oil pressure", ("4.1 bar", "3.8 bar", "3.2 bar")),
    ("Coolant", ("88 °C", "91 °C", "97 °C")),
    ("Engine speed", ("2,150 rpm", "2,480 rpm", "3,020 rpm")),
    ("Fuel flow", ("12.6 l/h", "14.9 l/h", "19.3 l/h")),
    ("Battery", ("13.8 V", "13.7 V", "13.5 V")),
    ("Heading", ("271°", "268°", "264°")),
)
WEATHER = (
    ("Oslo", "-4°"),
    ("Berlin", "3°"),
    ("Paris", "9°"),
    ("Madrid", "14°"),
    ("Rome", "16°"),
    ("Warsaw", "-1°"),
    ("Lisbon", "17°"),
    ("Athens", "18°"),
)
WEATHER_TITLE = ("Outlook for Thursday", "Gusts of up to 95 km/h on the coast")
SHEET_HEADERS = ("Item", "Qty", "Unit price", "Net", "VAT", "Supplier")
SHEET = (
    ("Hex bolt M8", "240", "0.18", "43.20", "8.21", "Norvik"),
    ("Washer 8 mm", "500", "0.04", "20.00", "3.80", "Norvik"),
    ("Steel angle", "36", "6.75", "243.00", "46.17", "Brandt"),
    ("Primer, grey", "12", "14.90", "178.80", "33.97", "Colorex"),
    ("Wire brush", "8", "4.25", "34.00", "6.46", "Colorex"),
    ("Cutting disc", "60", "1.35", "81.00", "15.39", "Brandt"),
    ("Work gloves", "25", "3.10", "77.50", "14.73", "Handel"),
    ("Tape 50 m", "14", "2.95", "41.30", "7.85", "Handel"),
    ("Drill 6.5", "10", "5.60", "56.00", "10.64", "Norvik"),
    ("Anchor A4", "90", "1.12", "100.80", "19.15", "Brandt"),
    ("Sealant", "18", "7.40", "133.20", "25.31", "Colorex"),
    ("Goggles", "9", "8.80", "79.20", "15.05", "Handel"),
)
PAPER = (
    "3.2 Measurement of runoff",
    "Runoff was recorded at four gauges between April and October.",
    "Each gauge consists of a weir of 0.75 m and a pressure sensor",
    "(type PX-409, accuracy 0.08 %). Values were read every 10 min",
    "and averaged over the hour. Gaps of up to three hours were",
    "closed by interpolation; longer ones were left out (Table 4).",
    "Heavy rain (more than 20 mm/h) occurred on nine days. On these",
    "days the uncertainty rises to about 6 %, because the water",
    "level changes faster than the sensor follows.",
    "3.3 Soil samples",
    "Samples were taken at depths of 10, 30 and 60 cm, dried at",
    "105 °C for 24 h and weighed again. Organic matter was found",
    "by loss on ignition as described by Heiri et al. (2001).",
    "In total 312 samples were used, 18 were discarded.",
)
WHITEBOARD = (
    "Sprint goals",
    "1. ship the importer",
    "2. fix login on tablets",
    "3. ask Paula about fees",
    "due: Nov 14, noon",
)
MARKER = ("NOT NOW", "MAYBE NEXT YEAR?", "BUDGET: 40K")
IDE = (
    (("import ", 1), ("{ useState }", 0), (" from ", 1), ("'react';", 2)),
    (("type ", 1), ("Props", 3), (" = { rows: ", 0), ("Row[]", 3), ("; limit?: ", 0), ("number", 3), (" };", 0)),
    (("export function ", 1), ("Table", 4), ("({ rows, limit = ", 0), ("25", 5), (" }: Props) {", 0)),
    (("  const ", 1), ("[page, setPage] = ", 0), ("useState", 4), ("(", 0), ("0", 5), (");", 0)),
    (("  const ", 1), ("shown = rows.", 0), ("slice", 4), ("(page * limit, (page + ", 0), ("1", 5), (") * limit);", 0)),
    (("  if ", 1), ("(shown.length === ", 0), ("0", 5), (") ", 0), ("return null;", 1)),
    (("  // the last page may be short", 6),),
    (("  return ", 1), ("(", 0)),
    (("    <tbody className=", 0), ('"grid zebra"', 2), (">", 0)),
    (("      {shown.", 0), ("map", 4), ("((row) => <Line key={row.id} {...row} />)}", 0)),
    (("    </tbody>", 0),),
    (("  );", 0),),
)
IDE_FILES = ("EXPLORER", "components", "Table.tsx", "Line.tsx", "package.json")
MATHS = (
    "F = 9.81 N per kg",
    "Area: 37.5 m² at £42.80/m²",
    "Tolerance ±0.05 mm",
    "€ 1.249,50 incl. 19 % VAT",
    "R = 4.7 kΩ, C = 100 µF",
    "x < 3.2 and y > 0.75",
    "$3.99 / 500 ml",
    "Speed of light: 299,792 km/s",
    "12 × 8 = 96",
    "Angle: 37.5° = 0.6545 rad",
)
LANGUAGES = (
    ("Größe wählen und bestätigen", "Müllabfuhr fällt heute aus"),
    ("Où êtes-vous allé hier soir ?", "Fermé du 3 au 17 août"),
    ("Não há vagas até amanhã", "Atenção: obras na avenida"),
    ("¿Cuánto cuesta el billete?", "Mañana lloverá en Cádiz"),
    ("Proszę zamknąć drzwi", "Łódź jest piękna jesienią"),
    ("Příští zastávka: náměstí", "Děkujeme za vaši trpělivost"),
    ("Lütfen kapıyı çekiniz", "Güneşli günler geliyor"),
)
SHOP = (
    ("Search 48,000 products", 0),
    ("Home / Kitchen / Kettles", 1),
    ("Stove kettle Arvid, 1.7 l", 2),
    ("Rated 4.6 of 5 (312 reviews)", 1),
    ("59,90 €", 2),
    ("was 74,00 €", 1),
    ("In stock, delivered by Tuesday", 3),
    ("Add to basket", 4),
    ("Free returns within 30 days", 1),
)
CALL = ("Birgit Aalto", "Sam Okonkwo (host)", "Priya N.", "Meeting room 4")
CALL_NOTES = ("Recording 00:12:07", "3 raised hands", "Mute all")
TILTED = (
    ("GARAGE SALE", -4.0),
    ("SATURDAY 9-15 H", 3.0),
    ("FRESH EGGS 2.50", 5.0),
    ("BEWARE OF THE DOG", -6.0),
    ("DETOUR: MILL LANE", 2.0),
    ("NO ENTRY AFTER 22:00", -3.0),
)

NEWS = ("LIVE", "Bridge reopens after 14 months", "Traffic returns to the old town from 6 a.m.", "Harbour Street")
NEWS_SECOND = ("Mayor promises a second lane", "Work is to begin in autumn 2027")
NEWS_CLOCK = ("18:42", "18:43")
KARAOKE = (
    "HOLD THE LINE TILL MORNING COMES",
    "EVERY WINDOW IS A DOOR",
    "WE WERE DANCING ON THE ROOFTOPS",
    "NOW WE DON'T GO THERE NO MORE",
)
HUD = (
    ("HP 87/100", "HP 64/100", "HP 41/100"),
    ("AMMO 24", "AMMO 17", "AMMO 9"),
    ("SCORE 10450", "SCORE 11200", "SCORE 12975"),
)
HUD_STILL = ("Find the lighthouse keeper", "350 m north", "LVL 12")
BOXED = (
    ("- Who left the gate open?", "- Not me, I was in town."),
    ("The sheep are on the road again.",),
    ("Call Martin. No, call the vet,", "it's quarter past three!"),
    ("[door slams]",),
)
OUTLINED = (
    ("You can't keep both of them.",),
    ("We have until 5 o'clock,", "then the tide comes in."),
    ("Is that what she told you?",),
    ("I counted 16 boats, not 12.",),
)
SCORE_BAR = ("NOR", "SUI", "2nd half")
SCORES = (("1", "0"), ("1", "1"))
MATCH_CLOCK = ("67:54", "67:55", "67:56", "67:57", "67:58", "67:59", "68:00", "68:01")
TERMINAL = (
    "$ docker compose up -d --build",
    "[+] Building 14.2s (9/9) FINISHED",
    " => CACHED [2/5] RUN apk add curl",
    " => exporting layers 0.4s",
    "Container shop-db-1 Started",
    "Container shop-web-1 Started",
    "$ curl -s localhost:8080/health",
    '{"status":"ok","uptime":3}',
    "$ tail -n 3 access.log",
    "GET /cart 200 12ms",
    "POST /pay 502 3041ms",
    "GET /favicon.ico 404 1ms",
    "$ docker compose logs web | grep 502",
    "upstream timed out (110)",
)
FLYING = ("EMBER", "A FILM BY RUTH CALLOWAY", "CHAPTER TWO", "SEVEN DAYS EARLIER", "BASED ON TRUE LETTERS")
CREDITS = (
    ("Written by", "Agnieszka Nowak"),
    ("Camera", "Tomás Vidal"),
    ("Sound mix", "Lars Egeland"),
    ("Gaffer", "O. J. Whitfield"),
    ("Animal trainer", "Priscilla Dunne"),
    ("Translations", "Hélène Garnier"),
    ("Second unit", "Kwame Asante"),
    ("Music", "The Paper Kites, 2021"),
)
STOP_MOTION = (
    (120, "RUN"),
    (160, "STAY CLOSE"),
    (200, "48 HOURS"),
    (120, "LOUDER"),
    (160, "No sleep"),
    (200, "ONE MORE TIME"),
    (120, "Go!"),
    (200, "Tonight at 9"),
)
OLD_TELEVISION = (
    "The mill closed in 1961.",
    "Nobody told the workers why.",
    "Mrs Harker kept the keys.",
    "She still has them today.",
)
QUOTES = (
    "FTSE 7,694.3 +0.4%",
    "DAX 16,182.9 -1.1%",
    "GOLD 1,987.20",
    "BRENT 84.61 +2.0%",
    "EUR/USD 1.0873",
    "NIKKEI 33,464",
)
HEADLINES = (
    "Rail strike called off at the last minute",
    "Museum returns 22 bronzes",
    "Rain ends the longest drought since 1976",
)
