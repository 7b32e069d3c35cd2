"""Dead letters in SQS, which has no way to look without receiving.

Looking receives the letters for a short while and gives them back. So their receive count grows by each look, two who
look at the same time see parts of the queue, and only the first `MAX_PEEKED` letters that SQS hands out are looked at.
Dead-letter queues have no redrive policy of their own, so no look makes a letter vanish.
"""

import asyncio
from collections.abc import Sequence

from sightline.bus.aws.context import MessageContext
from sightline.bus.aws.queues import AwsQueues
from sightline.bus.limits import MAX_RECEIVE, BusRefusal
from sightline.bus.message import Received

MAX_PEEKED = 1000
PARALLEL_RECEIVES = 4
# Should the giving back fail, a letter is hidden no longer than this.
PEEK_VISIBILITY_S = 30


class AwsDeadLetters(AwsQueues):
    async def peek(self, queue: str, *, limit: int, after: str | None = None) -> list[Received]:
        name = self._dead_letter_queue(queue)
        seen = await self._take(name)
        await self.return_unprocessed(seen)
        seen.sort(key=lambda one: (one.sent_at, one.message_id))
        # As if from the start when the letter to continue behind is gone.
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
        assert letter.source_queue is not None  # what is taken from a dead-letter queue has one
        self._queue(letter.source_queue)
        # Without its death, so that it is as new; its id stays what it was, though SQS gives the copy another.
        carried = MessageContext(letter.message_id, letter.context, redrives=letter.redrives + 1)
        await self._send_copy(letter.source_queue, letter, carried)

    async def _choose(self, name: str, message_ids: Sequence[str]) -> list[Received]:
        """Takes the letters with these ids into our hands, and gives all others back."""
        wanted = {one.lower() for one in message_ids}
        seen = await self._take(name) if wanted else []
        await self.return_unprocessed([one for one in seen if one.message_id not in wanted])
        return [one for one in seen if one.message_id in wanted]

    async def _take(self, name: str) -> list[Received]:
        """All there is, up to `MAX_PEEKED`; ends when a round of receives brings nothing."""
        seen: dict[str, Received] = {}
        try:
            while len(seen) < MAX_PEEKED:
                rounds = (
                    self.receive(name, limit=MAX_RECEIVE, wait_s=0, visibility_s=PEEK_VISIBILITY_S)
                    for _ in range(PARALLEL_RECEIVES)
                )
                answers = await asyncio.gather(*rounds)
                found = [one for answer in answers for one in answer]
                if not found:
                    break
                seen |= {one.receipt: one for one in found}
        except BaseException:
            await self.return_unprocessed(list(seen.values()))
            raise
        return list(seen.values())

    def _dead_letter_queue(self, name: str) -> str:
        """Given by its own name or by its source's."""
        queue = self._queue(name)
        if queue.is_dead_letter:
            return name
        if queue.dead_letter_queue is None:
            raise BusRefusal(f"{name} has no dead-letter queue")
        return queue.dead_letter_queue
