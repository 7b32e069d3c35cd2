"""Cells of CSV files that are safe to open in a spreadsheet. Pure."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe_cell(value: object) -> object:
    """Text that a spreadsheet would take for a formula is quoted, so that opening an export runs nothing."""
    return f"'{value}" if isinstance(value, str) and _is_formula(value) else value


def plain_cell(value: object) -> object:
    """What `safe_cell` was made from."""
    return value[1:] if isinstance(value, str) and value.startswith("'") and _is_formula(value[1:]) else value


def _is_formula(text: str) -> bool:
    # A quote before a formula counts as well, so that a quote of the text itself is not taken for one of `safe_cell`.
    return text.lstrip(" '").startswith(_FORMULA_STARTS)
