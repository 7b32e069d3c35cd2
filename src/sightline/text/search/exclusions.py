"""Terms that a hit must not have: as keys of the index, or as checks of the folded text. Pure."""

from sightline.text.search.query import SubstringTerm, SymbolTerm, Term


def absence_key(term: Term) -> str | None:
    """In tsquery syntax; None if the keys of the term do not decide."""
    condition = term.exact()
    return f"!({condition.keys})" if condition.is_by_keys_alone else None


def absence_check(term: Term) -> str | None:
    """A regular expression that matches texts without the term; None if its keys decide."""
    condition = term.exact()
    if condition.is_by_keys_alone:
        return None
    pattern = _literal(term.text) if isinstance(term, SubstringTerm | SymbolTerm) else condition.phrases[0]
    return f"^(?!.*{pattern})"


def _literal(text: str) -> str:
    """Matches exactly this; a backslash takes the meaning from every sign."""
    return "".join(one if one.isalnum() or one == " " or not one.isascii() else f"\\{one}" for one in text)
