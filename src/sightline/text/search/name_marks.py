"""Where the words of a query begin the words of a name. Pure."""

import re
from collections.abc import Sequence

from sightline.text.search.highlight import TextSpan, highlights
from sightline.text.search.query import PhraseTerm
from sightline.text.segments import fold, words_of


def begins_of_words(name: str, words: Sequence[str]) -> bool:
    """Whether each of the words begins a word of the name."""
    own = words_of(fold(name))
    return all(any(one.startswith(word) for one in own) for word in _bare(words))


def marks_of_words(name: str, words: Sequence[str]) -> list[TextSpan]:
    """Spans of characters in `name`, which must be in NFC."""
    return highlights(name, [PhraseTerm((word,), is_open=True) for word in _bare(words)], is_fuzzy=False)


def _bare(words: Sequence[str]) -> list[str]:
    return [one for word in words for one in words_of(fold(re.sub(r"[*]", "", word)))]
