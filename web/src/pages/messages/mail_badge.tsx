// Badge for the status of an email.

import { Badge, type Tone } from "../../ui/basics";
import type { IconName } from "../../ui/icons";
import { useMailWords } from "./mail_words";

export const MAIL_STATUSES = ["queued", "sending", "sent", "kept", "failed", "skipped"] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

const LOOKS: Record<MailStatus, { tone: Tone; icon: IconName }> = {
  queued: { tone: "warn", icon: "clock" },
  sending: { tone: "busy", icon: "retry" },
  sent: { tone: "good", icon: "check" },
  kept: { tone: "neutral", icon: "mail" },
  failed: { tone: "bad", icon: "cross" },
  skipped: { tone: "neutral", icon: "info" },
};

export function MailBadge({ status }: { status: string }) {
  const words = useMailWords();
  const known = MAIL_STATUSES.find((item) => item === status);
  if (known === undefined) return <Badge>{status}</Badge>;
  return (
    <Badge tone={LOOKS[known].tone} icon={LOOKS[known].icon}>
      {words[known]}
    </Badge>
  );
}
