// Badges for the risk level and status of an event: text and icon, not color alone.

import { Badge, type Tone } from "../../ui/basics";
import type { IconName } from "../../ui/icons";
import type { Level } from "./filter";
import { useEventWords } from "./words";

const LOOKS: Record<Level, { tone: Tone; icon: IconName }> = {
  low: { tone: "neutral", icon: "info" },
  medium: { tone: "busy", icon: "event" },
  high: { tone: "warn", icon: "alarm" },
  critical: { tone: "bad", icon: "stop" },
};

export function LevelBadge({ level }: { level: string }) {
  const words = useEventWords();
  const known = level as Level;
  return (
    <Badge tone={LOOKS[known]?.tone ?? "neutral"} icon={LOOKS[known]?.icon ?? "info"}>
      {words[known] ?? level}
    </Badge>
  );
}

export function StateBadge({ state }: { state: string }) {
  const words = useEventWords();
  const known: Record<string, { word: string; tone: Tone; icon: IconName }> = {
    acknowledged: { word: words.isAcknowledged, tone: "busy", icon: "check" },
    resolved: { word: words.isResolved, tone: "good", icon: "check" },
    archived: { word: words.isArchived, tone: "neutral", icon: "clock" },
  };
  const { word, tone, icon } = known[state] ?? { word: words.isOpen, tone: "warn", icon: "clock" };
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
