"""Receipts of the PostgreSQL backend: the message and the receive they stand for. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from sightline.bus.limits import BusRefusal


def write_receipt(queue_id: int, seq: int, receive_count: int) -> str:
    return f"{queue_id}-{seq}-{receive_count}"


def read_receipt(queue_id: int, receipt: str) -> tuple[int, int]:
    """Sequence number and receive count. Raises for a text that is not a receipt of this queue."""
    try:
        queue, seq, count = receipt.split("-")
        if int(queue) == queue_id:
            return int(seq), int(count)
    except ValueError:
        pass
    raise BusRefusal(f'The input receipt handle "{receipt}" is not a valid receipt handle.', "ReceiptHandleIsInvalid")


def read_receipts(queue_id: int, receipts: Iterable[str]) -> Mapping[int, Mapping[int, str]]:
    """Receipts as receive count → message → receipt. Nearly all are first receives, so one statement per count is one in all."""
    found: dict[int, dict[int, str]] = defaultdict(dict)
    for receipt in receipts:
        seq, count = read_receipt(queue_id, receipt)
        found[count][seq] = receipt
    return found
