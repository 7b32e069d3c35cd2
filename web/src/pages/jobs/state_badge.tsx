// Badge for the status of a job.

import { Badge, type Tone } from "../../ui/basics";
import type { IconName } from "../../ui/icons";
import { useJobWords } from "./words";

export const STATES = ["queued", "processing", "done", "failed"] as const;
export type JobState = (typeof STATES)[number];

const LOOKS: Record<JobState, { tone: Tone; icon: IconName }> = {
  queued: { tone: "neutral", icon: "clock" },
  processing: { tone: "busy", icon: "job" },
  done: { tone: "good", icon: "check" },
  failed: { tone: "bad", icon: "alarm" },
};

export const isState = (text: string): text is JobState => (STATES as readonly string[]).includes(text);

export function StateBadge({ state }: { state: string }) {
  const words = useJobWords();
  // An analysis reports a stage of its own.
  if (!isState(state)) return <Badge tone="busy">{state}</Badge>;
  return (
    <Badge tone={LOOKS[state].tone} icon={LOOKS[state].icon}>
      {words[`one_${state}`]}
    </Badge>
  );
}

/** The first eight characters of an id, enough to tell two apart. */
export const shortId = (id: string): string => id.slice(0, 8);
