"""The language of a text by its script and its most common small words. Pure.

OCR reads all Latin letters whatever the language, and says the first one that is set. What is certain is corrected; a text with too
few words keeps the language it was read in.
"""

import re
from collections import Counter

MIN_SMALL_WORDS = 2
"""Different small words of a language that a text must have."""
MIN_LETTERS_OF_SCRIPT = 2

_SMALL_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        "eng": "the and of to is in that for with are this you not from was have it on we be by at as or an",
        "deu": "der die das und ist nicht mit ein eine einen für auf dem den des zu von wird sind im ich sie wir auch nach bei",
        "fra": "le la les des et est une un du dans pour que qui pas sur avec au aux nous vous ce cette sont par",
        "spa": "el la los las y es una un del en para que con por no se su como más son esta está al lo",
        "por": "o a os as e é uma um do da dos das em para que com por não se seu como mais são esta está ao na no",
        "ita": "il lo la gli le e è una un di del della dei in per che con non si sono come più questa al nel",
        "nld": "de het een en is van in op te dat die voor met niet zijn aan er om ook wij naar bij",
        "dan": "og er det en et i på til af ikke med for den de som at har vi jeg fra om",
        "swe": "och är det en ett i på till av inte med för den de som att har vi jag från om",
        "pol": "i w na z do nie się to jest że o jak po dla od przez są czy ale",
        "tur": "ve bir bu için ile de da ne çok gibi daha olarak en mi var",
    }.items()
}
_SCRIPTS = (
    ("jpn", re.compile(r"[\u3041-\u30ff\u31f0-\u31ff]")),
    ("kor", re.compile(r"[\uac00-\ud7af\u1100-\u11ff]")),
    ("chi_sim", re.compile(r"[\u3400-\u9fff]")),
    ("ell", re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]")),
    ("ara", re.compile(r"[\u0600-\u06ff]")),
    ("heb", re.compile(r"[\u0590-\u05ff]")),
    ("tha", re.compile(r"[\u0e00-\u0e7f]")),
    ("hin", re.compile(r"[\u0900-\u097f]")),
    ("rus", re.compile(r"[\u0400-\u04ff]")),
)
_SAME_SCRIPT = {
    "chi_sim": {"chi_sim", "chi_tra", "jpn", "kor"},
    "rus": {"rus", "ukr", "bul", "srp", "mkd", "bel", "kaz", "mon"},
    "ara": {"ara", "fas", "urd"},
    "heb": {"heb", "yid"},
    "hin": {"hin", "mar", "nep", "san"},
}
_WORD = re.compile(r"[^\W\d_]+")


def detect_language(text: str, read_as: str) -> str:
    """The language of the text as Tesseract's code; `read_as` unless another one is certain."""
    for language, letters in _SCRIPTS:
        found = len(letters.findall(text))
        if found >= MIN_LETTERS_OF_SCRIPT and found * 2 >= sum(character.isalpha() for character in text):
            return read_as if read_as in _SAME_SCRIPT.get(language, {language}) else language
    words = set(_WORD.findall(text.lower()))
    scores = Counter({language: len(words & small) for language, small in _SMALL_WORDS.items()})
    (best, most), (_, second) = scores.most_common(2)
    if most >= MIN_SMALL_WORDS and most > second and most >= 2 * scores[read_as]:
        return best
    return read_as
