// The choices that composing and scheduling share: by which channel, and how urgent.

import type { NewMessageBody } from "../../api/types";
import type { InputNames } from "../../ui/form";
import { channelWord, useMessageWords } from "./words";

export type Channel = NonNullable<NewMessageBody["channel"]>;
export type Priority = NonNullable<NewMessageBody["priority"]>;

export const CHANNELS: Channel[] = ["log", "ntfy", "email", "webhook"];
const PRIORITIES: Priority[] = ["low", "normal", "high", "critical"];

interface Props<T> {
  value: T | null;
  change: (value: T | null) => void;
}

export function ChannelSelect({ value, change, ...names }: InputNames & Props<Channel>) {
  const words = useMessageWords();
  return (
    <select {...names} value={value ?? ""} onChange={(event) => change((event.currentTarget.value || null) as Channel | null)}>
      <option value="">{words.byDefault}</option>
      {CHANNELS.map((one) => (
        <option key={one} value={one}>
          {channelWord(one, words)}
        </option>
      ))}
    </select>
  );
}

export function PrioritySelect({ value, change, ...names }: InputNames & Props<Priority>) {
  const words = useMessageWords();
  const named = {
    low: words.priorityLow,
    normal: words.priorityNormal,
    high: words.priorityHigh,
    critical: words.priorityCritical,
  };
  return (
    <select {...names} value={value ?? ""} onChange={(event) => change((event.currentTarget.value || null) as Priority | null)}>
      <option value="">{words.byDefault}</option>
      {PRIORITIES.map((one) => (
        <option key={one} value={one}>
          {named[one]}
        </option>
      ))}
    </select>
  );
}
