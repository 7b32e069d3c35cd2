"""What the voices of benchmarks/speech.py say: sentences of talks, meetings and calls."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Talk:
    name: str
    voice: str
    sentences: tuple[str, ...]


TALKS = (
    Talk(
        "English talk",
        "en-us",
        (
            "Good morning everyone, and thank you for coming to this session.",
            "Today I want to talk about how we moved our billing system to a new database.",
            "We started with three small teams and a deadline in the middle of October.",
            "The first problem was that nobody knew which reports were still in use.",
            "So we asked every department to name the ten reports they could not live without.",
            "In the end only a quarter of them were needed, and the rest was deleted.",
            "The second problem was the time at which the old and the new system had to agree.",
            "If you remember one thing from this talk, test your backups before you need them.",
        ),
    ),
    Talk(
        "English call",
        "en-gb",
        (
            "Hello, this is the front desk, how can I help you?",
            "My train was cancelled, so I will arrive two hours later than planned.",
            "That is no problem, we will keep your room until midnight.",
            "Could you also order a taxi to the airport for tomorrow morning at half past six?",
            "Of course, I will write that down and send you a message.",
        ),
    ),
    Talk(
        "German talk",
        "de",
        (
            "Guten Tag und herzlich willkommen zu unserem Vortrag über erneuerbare Energien.",
            "Im vergangenen Jahr wurde mehr Strom aus Wind als aus Kohle erzeugt.",
            "Die größte Schwierigkeit ist nicht die Erzeugung, sondern die Speicherung.",
            "Deshalb sprechen wir heute über Batterien, Wasserstoff und Pumpspeicher.",
        ),
    ),
    Talk(
        "Portuguese talk",
        "pt-br",
        (
            "Bom dia a todos e obrigado pela presença.",
            "Hoje vamos falar sobre a história da cidade e dos seus mercados.",
            "O primeiro mercado foi construído perto do rio há mais de duzentos anos.",
            "Depois da chuva as ruas ficavam cheias de água e ninguém conseguia passar.",
        ),
    ),
    Talk(
        "French talk",
        "fr",
        (
            "Bonjour et bienvenue dans notre atelier de cuisine.",
            "Nous allons préparer une soupe de légumes avec des carottes et des pommes de terre.",
            "Coupez d'abord les légumes en petits morceaux.",
            "Ajoutez ensuite un litre d'eau et laissez cuire pendant vingt minutes.",
        ),
    ),
)
