"""Dead letters in SQS, which cannot be read without receiving them.

Peeking receives the letters for a short time and returns them. So each peek raises their receive count, two concurrent
peeks each see a part of the queue, and only the first `MAX_PEEKED` letters that SQS returns are seen. Dead-letter
queues have no redrive policy of their own, so peeking never removes a letter.
"""

import asyncio
from collections.abc import Sequence

from sightline.bus.aws.context import MessageContext
from sightline.bus.aws.messages import in_ms
from sightline.bus.aws.queues import AwsQueues
from sightline.bus.limits import MAX_RECEIVE, BusRefusal
from sightline.bus.message import Received

MAX_PEEKED = 1000
PARALLEL_RECEIVES = 4
# If returning a letter fails, it stays hidden no longer than this.
PEEK_VISIBILITY_S = 30


class AwsDeadLetters(AwsQueues):
    async def peek(self, queue: str, *, limit: int, after: str | None = None) -> list[Received]:
        name = self._dead_letter_queue(queue)
        seen = await self._receive_all(name)
        await self.return_unprocessed(seen)
        seen.sort(key=lambda one: (in_ms(one.sent_at), one.message_id))
        # Starts from the oldest if the letter to continue after is deleted.
        start = next((number for number, one in enumerate(seen, start=1) if one.message_id == after), 0)
        return seen[start : start + limit]

    async def redrive(self, queue: str, message_ids: Sequence[str]) -> int:
        name = self._dead_letter_queue(queue)
        chosen = await self._choose(name, message_ids)
        done = await asyncio.gather(*(self._send_back(one) for one in chosen), return_exceptions=True)
        moved = [one for one, error in zip(chosen, done, strict=True) if error is None]
        await self._delete(name, [one.receipt for one in moved])
        await self.return_unprocessed([one for one in chosen if one not in moved])
        for error in done:
            if error is not None:
                raise error
        return len(moved)

    async def discard(self, queue: str, message_ids: Sequence[str]) -> int:
        name = self._dead_letter_queue(queue)
        chosen = await self._choose(name, message_ids)
        await self._delete(name, [one.receipt for one in chosen])
        return len(chosen)

    async def _send_back(self, letter: Received) -> None:
        assert letter.source_queue is not None  # every message received from a dead-letter queue has one
        self._queue(letter.source_queue)
        # Sent without its failure record, as a new message; the id stays the same, though SQS assigns the copy another.
        carried = MessageContext(letter.message_id, letter.context, redrives=letter.redrives + 1)
        await self._send_copy(letter.source_queue, letter, carried)

    async def _choose(self, name: str, message_ids: Sequence[str]) -> list[Received]:
        """Receives the letters with these ids and returns all others."""
        ids = {one.lower() for one in message_ids}
        seen = await self._receive_all(name) if ids else []
        await self.return_unprocessed([one for one in seen if one.message_id not in ids])
        return [one for one in seen if one.message_id in ids]

    async def _receive_all(self, name: str) -> list[Received]:
        """Receives everything, up to `MAX_PEEKED`; ends when a round of receives returns nothing."""
        seen: dict[str, Received] = {}
        try:
            while len(seen) < MAX_PEEKED:
                rounds = (
                    self.receive(name, limit=MAX_RECEIVE, wait_s=0, visibility_s=PEEK_VISIBILITY_S)
                    for _ in range(PARALLEL_RECEIVES)
                )
                responses = await asyncio.gather(*rounds)
                found = [one for response in responses for one in response]
                if not found:
                    break
                seen |= {one.receipt: one for one in found}
        except BaseException:
            await self.return_unprocessed(list(seen.values()))
            raise
        return list(seen.values())

    def _dead_letter_queue(self, name: str) -> str:
        """The dead-letter queue, given by its own name or by its source."""
        queue = self._queue(name)
        if queue.is_dead_letter:
            return name
        if queue.dead_letter_queue is None:
            raise BusRefusal(f"{name} has no dead-letter queue")
        return queue.dead_letter_queue
