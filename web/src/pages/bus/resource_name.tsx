// Names of queues, topics and rules: a label for the platform's own, the account for those of clients.

import type { BusTopologyAnswer } from "../../api/types";
import { Badge } from "../../ui/basics";
import { QueueName } from "../../ui/queue_name";
import { type BusResource, isDeclared, shortName } from "./topology";
import { useBusWords } from "./words";

export function ResourceName({ resource }: { resource: BusResource & { is_fifo?: boolean } }) {
  const words = useBusWords();
  if (resource.is_declared) return <QueueName name={resource.name} />;
  return (
    <span class="queue-label">
      <span>{resource.name}</span> {resource.is_fifo && <Badge>{words.fifo}</Badge>}{" "}
      <small class="soft">{words.account(resource.account_id)}</small>
    </span>
  );
}

/** What a subscription or rule delivers to. */
export function EndpointName({ endpoint, topology }: { endpoint: string; topology: BusTopologyAnswer }) {
  const name = shortName(endpoint);
  if (isDeclared(endpoint, topology)) return <QueueName name={name} />;
  return <span title={endpoint}>{name}</span>;
}
