// The tab of queues and topics, or the dead letters of one queue.

import { QueuesAndTopics } from "../bus/parts";
import { DeadLetters } from "./dead_letters";
import type { Queues } from "./queues";

interface Props {
  /** The queue whose dead letters are shown; empty for all queues. */
  queue: string;
  letterId: string | null;
  queues: Queues;
}

export function QueuesTab({ queue, letterId, queues }: Props) {
  if (queue === "") return <QueuesAndTopics />;
  return <DeadLetters key={queue} queue={queue} letterId={letterId} changed={queues.reload} queues={queues} />;
}
