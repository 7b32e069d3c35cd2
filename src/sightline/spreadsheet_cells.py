"""Cells of CSV files that are safe to open in a spreadsheet. Pure."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe_cell(value: object) -> object:
    """Text that a spreadsheet would take for a formula is quoted, so that opening an export runs nothing."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA_STARTS):
        return f"'{value}"
    return value
