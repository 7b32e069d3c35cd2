"""What the sixth family of clips says. Every line was written for it, after the reader was frozen."""

DEPARTURES = (
    ("14:05", "Aarhus H", "IC 147", "3"),
    ("14:12", "Fredericia", "RE 2091", "5"),
    ("14:18", "Padborg", "RE 33", "1"),
    ("14:26", "Odense", "IC 832", "4"),
)
DEPARTURES_HEADERS = ("Time", "To", "Train", "Track")
BANK = (
    ("02 May", "Card payment, bakery", "-4.80", "1,214.35"),
    ("03 May", "Transfer from J. Petersen", "250.00", "1,464.35"),
    ("05 May", "Rent May", "-890.00", "574.35"),
    ("06 May", "Refund order 55012", "19.99", "594.34"),
)
BANK_HEADERS = ("Date", "Details", "Amount", "Balance")
CALENDAR_DAYS = ("Mon 11", "Tue 12", "Wed 13", "Thu 14", "Fri 15")
CALENDAR = (
    (0, 1, "Stand-up"),
    (0, 4, "Dentist 15:30"),
    (1, 2, "Review Q2 plan"),
    (2, 0, "Flight to Turin"),
    (3, 3, "1:1 with Ana"),
    (4, 1, "Release 4.2"),
    (4, 5, "Cinema, 20:15"),
)
CALENDAR_HOURS = ("08:00", "10:00", "12:00", "14:00", "16:00", "18:00")
MAIL_FOLDERS = ("Inbox (14)", "Drafts", "Sent", "Archive", "Spam (3)")
MAIL = (
    ("Ines Moreau", "Keys for the cabin"),
    ("Parish council", "Minutes of 9 April"),
    ("Bike shop", "Your wheel is ready"),
    ("No reply", "Code 402 918 expires soon"),
)
MAIL_BODY = (
    "Hello all,",
    "the keys hang behind the left shutter.",
    "Please turn off the water when you leave",
    "and write down the meter: 3381.6 m³.",
    "See you in June, Ines",
)
CAMERA = "CAM 04 LOADING BAY"
CAMERA_TIMES = ("2026-03-08 06:41:17", "2026-03-08 06:41:18", "2026-03-08 06:41:19", "2026-03-08 06:41:20")
INGREDIENTS = (("2 eggs",), ("120 g sugar", "a pinch of salt"), ("Bake at 180 °C",))
SWIMMING = (
    ("1", "KOVAČ L.", "CRO", "1:58.44"),
    ("2", "O'BRIEN S.", "IRL", "1:59.02"),
    ("3", "LINDGREN M.", "SWE", "1:59.71"),
    ("4", "DA SILVA R.", "BRA", "2:00.36"),
)
CHART = ("Price of wheat, EUR per tonne", "2019", "2021", "2023", "2025", "150", "200", "250", "300", "Peak: 418")
NOTEBOOK = (
    ("In [7]:", "rates = load('rates.csv')"),
    ("", "rates.groupby('day').mean() ** 0.5"),
    ("Out[7]:", "array([1.41, 1.73, 2.24])"),
    ("In [8]:", "a, *rest = [3 * n for n in range(4)]"),
    ("", "print(f'{a:>6} | {len(rest)}')"),
)
THEOREM = (
    "Theorem 2.4 (Bounded growth)",
    "Let f be continuous on [0, 1] with f(0) = 2.",
    "Then there is an x such that f(x) > 1.5.",
    "Proof. See Lemma 1.7 and exercise 12.",
)
LIVE_CAPTIONS = ("so what we do is", "we go to the lab and", "it is up to us to do it")
STREET = (("Rue du Moulin", 4.5), ("NO PARKING 8-18", -5.0), ("Platform 2", 7.0), ("EXIT 24 A", -8.0))
LOCK_SCREEN = ("7:26", "Thursday 14 May", "Mia", "Are you at the station yet?", "Weather", "Rain from 9 to 11, 13 °C")
CALLOUTS = ("12 MP camera", "USB-C 3.2", "5000 mAh", "Weighs 189 g")
SCROLLED_CREDITS = (
    "Directed by Olena Hrytsenko",
    "Produced by Martin Aguirre",
    "Editor: Ji-woo Park",
    "Stunts: Freddie Onwudiwe",
    "Catering by The Copper Pot",
    "Filmed in Ghent and Ostend",
)
MARKETS = ("OAT 412.50 +3.1", "Ministers meet again on Friday", "Heat record broken in 31 towns")
HEX = (
    "0000: 7f 45 4c 46 02 01 01 00  .ELF....",
    "0010: 03 00 3e 00 01 00 00 00  ..>.....",
    "mov  rax, [rbp-0x18]",
    "lea  rdi, [rip+0x2e4f]",
    "jne  .L7  ; not yet done",
)
