// Form for a new alert rule.

import { useState } from "preact/hooks";
import { post } from "../../api/client";
import type { CameraAnswer, RuleBody } from "../../api/types";
import { Button } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { FormField, useForm } from "../../ui/form";
import { localTimeZone } from "../../ui/time_zone_input";
import { notify } from "../../ui/toasts";
import { useRuleWords } from "./rule_words";

const FIELDS = [
  "name",
  "conditions.risk_threshold",
  "conditions.object_types",
  "conditions.zones",
  "conditions.min_confidence",
  "severity",
  "cooldown_s",
  "escalate_after_s",
];

const EMPTY = {
  name: "",
  threshold: "60",
  objects: "",
  zones: "",
  confidence: "",
  from: "",
  to: "",
  severity: "high" as NonNullable<RuleBody["severity"]>,
  cooldown: "300",
  escalate: "60",
  cameras: [] as string[],
};

export function NewRule({ cameras, close, added }: { cameras: CameraAnswer[]; close: () => void; added: () => void }) {
  const words = useRuleWords();
  const [draft, setDraft] = useState(EMPTY);
  const change = (part: Partial<typeof EMPTY>) => setDraft((old) => ({ ...old, ...part }));
  const form = useForm(FIELDS, async () => {
    await post("/api/alert-rules", { body: bodyOf(draft) });
    notify(words.added);
    added();
    close();
  });
  const input = (
    label: string,
    field: string,
    key: "name" | "threshold" | "objects" | "zones" | "confidence" | "cooldown" | "escalate",
    more: { hint?: string; type?: "number"; min?: number; max?: number; step?: number; required?: boolean } = {},
  ) => {
    const { hint, type = "text", ...rest } = more;
    return (
      <FormField label={label} hint={hint} error={form.errorOf(field)}>
        {(attributes) => (
          <input
            {...attributes}
            {...rest}
            type={type as "text"}
            value={draft[key]}
            onInput={(event) => change({ [key]: event.currentTarget.value })}
          />
        )}
      </FormField>
    );
  };
  return (
    <Dialog title={words.add} close={close}>
      <form class="stack" onSubmit={form.submit}>
        {form.note}
        {input(words.name, "name", "name", { required: true })}
        {input(words.threshold, "conditions.risk_threshold", "threshold", { type: "number", min: 0, max: 100 })}
        {input(words.objects, "conditions.object_types", "objects", { hint: words.objectsHint })}
        {input(words.zones, "conditions.zones", "zones", { hint: words.zonesHint })}
        {input(words.confidence, "conditions.min_confidence", "confidence", {
          type: "number",
          min: 0,
          max: 1,
          step: 0.01,
        })}
        {cameras.length > 0 && (
          <fieldset>
            <legend class="label">{words.cameras}</legend>
            <div class="line">
              {cameras.map((item) => (
                <label key={item.camera_id} class="check">
                  <input
                    type="checkbox"
                    checked={draft.cameras.includes(item.camera_id)}
                    onChange={(event) => {
                      const others = draft.cameras.filter((id) => id !== item.camera_id);
                      change({ cameras: event.currentTarget.checked ? [...others, item.camera_id] : others });
                    }}
                  />
                  {item.name}
                </label>
              ))}
            </div>
            <small class="soft">{words.camerasHint}</small>
          </fieldset>
        )}
        <div class="form-pair">
          <FormField label={words.from} hint={words.spanHint(localTimeZone())}>
            {(attributes) => (
              <input
                {...attributes}
                type="time"
                value={draft.from}
                onInput={(event) => change({ from: event.currentTarget.value })}
              />
            )}
          </FormField>
          <FormField label={words.to}>
            {(attributes) => (
              <input
                {...attributes}
                type="time"
                value={draft.to}
                onInput={(event) => change({ to: event.currentTarget.value })}
              />
            )}
          </FormField>
        </div>
        <FormField label={words.severity} error={form.errorOf("severity")}>
          {(attributes) => (
            <select
              {...attributes}
              value={draft.severity}
              onChange={(event) => change({ severity: event.currentTarget.value as "high" | "critical" })}
            >
              <option value="high">{words.high}</option>
              <option value="critical">{words.critical}</option>
            </select>
          )}
        </FormField>
        {input(words.cooldown, "cooldown_s", "cooldown", { type: "number", min: 0, required: true })}
        {input(words.escalate, "escalate_after_s", "escalate", { type: "number", min: 1, hint: words.escalateHint })}
        <div class="actions">
          <Button type="submit" kind="primary" disabled={form.isSending}>
            {words.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function bodyOf(draft: typeof EMPTY): RuleBody {
  const hasSpan = draft.from !== "" || draft.to !== "";
  return {
    name: draft.name,
    severity: draft.severity,
    cooldown_s: Number(draft.cooldown),
    escalate_after_s: numberOr(draft.escalate),
    conditions: {
      risk_threshold: numberOr(draft.threshold),
      object_types: listed(draft.objects),
      zones: listed(draft.zones),
      camera_ids: draft.cameras,
      min_confidence: numberOr(draft.confidence),
      schedule: hasSpan ? { start: draft.from || "00:00", end: draft.to || "00:00", zone: localTimeZone() } : null,
    },
  };
}

const numberOr = (text: string): number | null => (text.trim() === "" ? null : Number(text));
const listed = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
