// Queues, topics and event rules of the bus, as the server lists them.

import { get } from "../../api/client";
import type { BusQueueAnswer, BusTopologyAnswer } from "../../api/types";
import { type Data, useData } from "../../api/use_data";

const REFRESH_MS = 4000;

export type Topology = Data<BusTopologyAnswer>;

/** What queues, topics and rules have in common. */
export type BusResource = Pick<BusQueueAnswer, "arn" | "account_id" | "is_declared" | "name">;

export function useTopology(): Topology {
  const load = (signal: AbortSignal) => get<BusTopologyAnswer>("/api/bus/topology", { signal });
  return useData("topology", load, { every: REFRESH_MS });
}

/** The last part of an ARN; any other address as it is. */
export const shortName = (endpoint: string): string =>
  endpoint.startsWith("arn:") ? endpoint.slice(endpoint.lastIndexOf(":") + 1) : endpoint;

/** Whether an ARN names one of the platform's own queues or topics, which have labels. */
export function isDeclared(arn: string, topology: BusTopologyAnswer): boolean {
  const own = (resource: BusResource) => resource.is_declared && resource.arn === arn;
  const isDeadLetters = (queue: BusQueueAnswer) => queue.is_declared && queue.dead_letter_arn === arn;
  return topology.queues.some((queue) => own(queue) || isDeadLetters(queue)) || topology.topics.some(own);
}
