// Channel and priority selects, shared by compose and schedules.

import type { NewMessageBody } from "../../api/types";
import type { InputAttributes } from "../../ui/form";
import { channelWord, useMessageWords } from "./words";

export type Channel = NonNullable<NewMessageBody["channel"]>;
export type Priority = NonNullable<NewMessageBody["priority"]>;

export const CHANNELS: Channel[] = ["log", "ntfy", "email", "webhook"];
export type EventChannel = Channel | "web_push";
/** Events also reach browsers. */
export const EVENT_CHANNELS: EventChannel[] = ["web_push", "ntfy", "email", "webhook", "log"];
const PRIORITIES: Priority[] = ["low", "normal", "high", "critical"];

interface Props<T> {
  value: T | null;
  change: (value: T | null) => void;
}

export function ChannelSelect({ value, change, ...attributes }: InputAttributes & Props<Channel>) {
  const words = useMessageWords();
  return (
    <select
      {...attributes}
      value={value ?? ""}
      onChange={(event) => change((event.currentTarget.value || null) as Channel | null)}
    >
      <option value="">{words.byDefault}</option>
      {CHANNELS.map((item) => (
        <option key={item} value={item}>
          {channelWord(item, words)}
        </option>
      ))}
    </select>
  );
}

export function PrioritySelect({ value, change, ...attributes }: InputAttributes & Props<Priority>) {
  const words = useMessageWords();
  const named = {
    low: words.priorityLow,
    normal: words.priorityNormal,
    high: words.priorityHigh,
    critical: words.priorityCritical,
  };
  return (
    <select
      {...attributes}
      value={value ?? ""}
      onChange={(event) => change((event.currentTarget.value || null) as Priority | null)}
    >
      <option value="">{words.byDefault}</option>
      {PRIORITIES.map((item) => (
        <option key={item} value={item}>
          {named[item]}
        </option>
      ))}
    </select>
  );
}
