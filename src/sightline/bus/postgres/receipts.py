"""Receipts of the PostgreSQL backend: the message and the receive they stand for. Pure."""

import struct
import zlib
from binascii import a2b_base64, b2a_base64
from collections import defaultdict
from collections.abc import Iterable, Mapping

from sightline.bus.limits import BusRefusal

# Queue, message and receive count, then their checksum: a receipt that was cut or mistyped is refused, and all are equally long.
_CONTENT = struct.Struct(">iqi")
_WHOLE = struct.Struct(">iqiI")


def write_receipt(queue_id: int, seq: int, receive_count: int) -> str:
    content = _CONTENT.pack(queue_id, seq, receive_count)
    return b2a_base64(content + zlib.crc32(content).to_bytes(4), newline=False).decode()


def read_receipt(queue_id: int, receipt: str) -> tuple[int, int]:
    """Sequence number and receive count. Raises for a text that is not a receipt of this queue."""
    try:
        raw = a2b_base64(receipt, strict_mode=True)
        queue, seq, count, checksum = _WHOLE.unpack(raw)
        if queue == queue_id and checksum == zlib.crc32(raw[: _CONTENT.size]):
            return seq, count
    except (ValueError, struct.error):
        pass
    raise BusRefusal(f'The input receipt handle "{receipt}" is not a valid receipt handle.', "ReceiptHandleIsInvalid")


def read_receipts(queue_id: int, receipts: Iterable[str]) -> Mapping[int, Mapping[int, str]]:
    """Receipts as receive count → message → receipt. Nearly all are first receives, so one statement per count is one in all."""
    found: dict[int, dict[int, str]] = defaultdict(dict)
    for receipt in receipts:
        seq, count = read_receipt(queue_id, receipt)
        found[count][seq] = receipt
    return found
