// Badge for the status of a message.

import { Badge, type Tone } from "../../ui/basics";
import type { IconName } from "../../ui/icons";
import { useMessageWords } from "./words";

export const STATUSES = ["created", "queued", "processing", "completed", "failed"] as const;
export type Status = (typeof STATUSES)[number];

const LOOKS: Record<Status, { tone: Tone; icon: IconName }> = {
  created: { tone: "neutral", icon: "message" },
  queued: { tone: "warn", icon: "clock" },
  processing: { tone: "busy", icon: "retry" },
  completed: { tone: "good", icon: "check" },
  failed: { tone: "bad", icon: "cross" },
};

export function StatusBadge({ status, isKept = false }: { status: string; isKept?: boolean }) {
  const words = useMessageWords();
  if (isKept) return <Badge icon="mail">{words.keptHere}</Badge>;
  const look = LOOKS[status as Status] ?? LOOKS.created;
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {words[status as Status] ?? status}
    </Badge>
  );
}
