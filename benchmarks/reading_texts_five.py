"""What the fifth family of clips says. Every line was written for it, before any of its clips had been read."""

SLIDES = (
    (
        "Bees in the city",
        ("412 hives on roofs", "Lime trees flower in June", "Honey: 18.6 kg per hive", "No pesticides since 2014"),
    ),
    (
        "Who pays for it?",
        ("The council: 35 %", "Members: 22 EUR a year", "Sponsors of single hives", "Sales at the Sunday market"),
    ),
)
REVIEW = (
    ("def retry(task, tries=3):", 0),
    ("    last = None", 0),
    ("    for n in range(tries):", 1),
    ("    while tries > 0:", 2),
    ("        try:", 0),
    ("            return task()", 0),
    ("        except IOError as e:", 0),
    ("            last = e", 0),
    ("            sleep(2 ** n)", 1),
    ("            sleep(0.5)", 2),
    ("    raise RetryError(last)", 0),
)
INVOICE_HEADERS = ("Pos.", "Description", "Hours", "Rate", "Amount")
INVOICE = (
    ("1", "Site survey, north wing", "6.5", "72.00", "468.00"),
    ("2", "Drawings and permits", "14", "72.00", "1,008.00"),
    ("3", "Scaffolding (hire)", "3", "115.00", "345.00"),
    ("4", "Travel, 240 km", "240", "0.42", "100.80"),
    ("5", "Small parts", "1", "37.65", "37.65"),
)
INVOICE_TOTAL = ("Total due by 30 April", "1,959.45")
DOCUMENTARY = (
    ("The river froze in November", "and stayed frozen until May."),
    ("They walked 600 miles on ice.",),
    ("Only nine of them came back,", "and none would speak of it."),
)
BREAKING = (
    "Ferry with 320 people on board runs aground off the western isles; all passengers safe by noon, the coast guard reports",
    "Petrol up 4 cents",
    "Finland wins the relay in 1:19:50.8",
)
CARDS = (("directed by", "Noor El-Amin"), ("with", "Piet Hoekstra", "Lucía Ferrer"), ("music", "Jonna Lund"))
RACE = (("KOV 1", "ALB 2", "RUI 3", "DUN 4"), ("ALB 1", "KOV 2", "DUN 3", "RUI 4"))
RACE_GAPS = (("LAP 41/58", "+2.814", "+5.307", "+9.660"), ("LAP 42/58", "+1.946", "+6.112", "+9.875"))
RECIPE = (
    "Lentil soup with lemon",
    "Serves 4, takes 35 min",
    "250 g red lentils",
    "2 carrots, diced",
    "1 onion, 3 cloves garlic",
    "1 tsp ground cumin",
    "1.2 l vegetable stock",
    "Fry the onion until soft.",
    "Add lentils and stock.",
    "Simmer for 20 minutes.",
    "Season with lemon juice.",
)
NOTES = ("Feed the cat twice!", "key is under pot no. 3", "call Omar 0171 55 82", "back on Sunday")
REPL = (
    ">>> import math",
    ">>> math.sqrt(2) * 10",
    "14.142135623730951",
    ">>> len('straße')",
    "6",
    ">>> {'a': 1} | {'b': 2}",
)
MAP_LABELS = ("Café Lindén", "Rue de l'Église", "Plaça Major", "Søndre gate", "Straße des 17. Juni", "Çarşı Caddesi")
