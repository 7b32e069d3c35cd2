// An alert rule as its form holds it, and the request that saves it.

import type { AlertRuleAnswer, RuleBody } from "../../api/types";
import { localTimeZone } from "../../ui/time_zone_input";

export interface Step {
  minutes: string;
  channel: "" | "email" | "ntfy" | "webhook";
  user_id: string | null;
}

export interface RuleDraft {
  name: string;
  threshold: string;
  objects: string;
  zones: string;
  behaviours: string;
  confidence: string;
  from: string;
  to: string;
  quietFrom: string;
  quietTo: string;
  letsCritical: boolean;
  severity: NonNullable<RuleBody["severity"]>;
  cooldown: string;
  escalate: string;
  steps: Step[];
  cameras: string[];
  /** Whose cameras it watches beside the owner's; empty: no team's. */
  team: string;
}

export const EMPTY_RULE: RuleDraft = {
  name: "",
  threshold: "60",
  objects: "",
  zones: "",
  behaviours: "",
  confidence: "",
  from: "",
  to: "",
  quietFrom: "",
  quietTo: "",
  letsCritical: true,
  severity: "high",
  cooldown: "300",
  escalate: "60",
  steps: [],
  cameras: [],
  team: "",
};

const SECONDS_PER_MINUTE = 60;

export function draftOf(rule: AlertRuleAnswer): RuleDraft {
  const { conditions, quiet_hours: quiet } = rule;
  return {
    name: rule.name,
    threshold: textOf(conditions.risk_threshold),
    objects: (conditions.object_types ?? []).join(", "),
    zones: (conditions.zones ?? []).join(", "),
    behaviours: (conditions.behaviours ?? []).join(", "),
    confidence: textOf(conditions.min_confidence),
    from: conditions.schedule?.start?.slice(0, 5) ?? "",
    to: conditions.schedule?.end?.slice(0, 5) ?? "",
    quietFrom: quiet?.start?.slice(0, 5) ?? "",
    quietTo: quiet?.end?.slice(0, 5) ?? "",
    letsCritical: rule.quiet_lets_critical,
    severity: rule.severity === "critical" ? "critical" : "high",
    cooldown: String(rule.cooldown_s),
    escalate: textOf(rule.escalate_after_s),
    steps: rule.escalation.map((step) => ({
      minutes: String(step.after_s / SECONDS_PER_MINUTE),
      channel: step.channel ?? "",
      user_id: step.user_id ?? null,
    })),
    cameras: conditions.camera_ids ?? [],
    team: rule.team_id ?? "",
  };
}

/** What the form does not show (days and zones of hours, on or off) stays as it is in the rule that is edited. */
export function bodyOf(draft: RuleDraft, edited?: AlertRuleAnswer): RuleBody {
  return {
    name: draft.name,
    is_enabled: edited?.is_enabled ?? true,
    team_id: draft.team || null,
    severity: draft.severity,
    cooldown_s: Number(draft.cooldown),
    escalate_after_s: numberOr(draft.escalate),
    escalation: draft.steps.map((step) => ({
      after_s: Math.round(Number(step.minutes) * SECONDS_PER_MINUTE),
      channel: step.channel === "" ? null : step.channel,
      // Somebody of a team that the rule no longer watches is not notified by it.
      user_id: draft.team === "" ? null : step.user_id,
    })),
    quiet_hours: hours(draft.quietFrom, draft.quietTo, edited?.quiet_hours),
    quiet_lets_critical: draft.letsCritical,
    conditions: {
      risk_threshold: numberOr(draft.threshold),
      object_types: namesIn(draft.objects),
      zones: namesIn(draft.zones),
      behaviours: namesIn(draft.behaviours) as NonNullable<NonNullable<RuleBody["conditions"]>["behaviours"]>,
      camera_ids: draft.cameras,
      min_confidence: numberOr(draft.confidence),
      schedule: hours(draft.from, draft.to, edited?.conditions.schedule),
    },
  };
}

type Hours = NonNullable<RuleBody["quiet_hours"]>;

function hours(from: string, to: string, before: Hours | null | undefined): Hours | null {
  if (from === "" && to === "") return null;
  return { zone: localTimeZone(), ...before, start: from || "00:00", end: to || "00:00" };
}

const textOf = (value: number | null | undefined): string => (value == null ? "" : String(value));
const numberOr = (text: string): number | null => (text.trim() === "" ? null : Number(text));
/** Names that are separated by commas. */
export const namesIn = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
