// The form of a new alert rule.

import { useState } from "preact/hooks";
import { post } from "../../api/client";
import type { CameraAnswer, RuleBody } from "../../api/types";
import { Button } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { FormField, useForm } from "../../ui/form";
import { say } from "../../ui/toasts";
import { localZone } from "../../ui/zone_input";
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
  const [said, setSaid] = useState(EMPTY);
  const change = (part: Partial<typeof EMPTY>) => setSaid((old) => ({ ...old, ...part }));
  const form = useForm(FIELDS, async () => {
    await post("/api/alert-rules", { body: bodyOf(said) });
    say(words.added);
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
        {(names) => (
          <input {...names} {...rest} type={type as "text"} value={said[key]} onInput={(event) => change({ [key]: event.currentTarget.value })} />
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
        {input(words.confidence, "conditions.min_confidence", "confidence", { type: "number", min: 0, max: 1, step: 0.01 })}
        {cameras.length > 0 && (
          <fieldset>
            <legend class="label">{words.cameras}</legend>
            <div class="line">
              {cameras.map((one) => (
                <label key={one.camera_id} class="check">
                  <input
                    type="checkbox"
                    checked={said.cameras.includes(one.camera_id)}
                    onChange={(event) => {
                      const others = said.cameras.filter((id) => id !== one.camera_id);
                      change({ cameras: event.currentTarget.checked ? [...others, one.camera_id] : others });
                    }}
                  />
                  {one.name}
                </label>
              ))}
            </div>
            <small class="soft">{words.camerasHint}</small>
          </fieldset>
        )}
        <div class="form-pair">
          <FormField label={words.from} hint={words.spanHint(localZone())}>
            {(names) => <input {...names} type="time" value={said.from} onInput={(event) => change({ from: event.currentTarget.value })} />}
          </FormField>
          <FormField label={words.to}>
            {(names) => <input {...names} type="time" value={said.to} onInput={(event) => change({ to: event.currentTarget.value })} />}
          </FormField>
        </div>
        <FormField label={words.severity} error={form.errorOf("severity")}>
          {(names) => (
            <select {...names} value={said.severity} onChange={(event) => change({ severity: event.currentTarget.value as "high" | "critical" })}>
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

function bodyOf(said: typeof EMPTY): RuleBody {
  const hasSpan = said.from !== "" || said.to !== "";
  return {
    name: said.name,
    severity: said.severity,
    cooldown_s: Number(said.cooldown),
    escalate_after_s: numberOr(said.escalate),
    conditions: {
      risk_threshold: numberOr(said.threshold),
      object_types: listed(said.objects),
      zones: listed(said.zones),
      camera_ids: said.cameras,
      min_confidence: numberOr(said.confidence),
      schedule: hasSpan ? { start: said.from || "00:00", end: said.to || "00:00", zone: localZone() } : null,
    },
  };
}

const numberOr = (text: string): number | null => (text.trim() === "" ? null : Number(text));
const listed = (text: string): string[] => text.split(",").map((one) => one.trim()).filter((one) => one !== "");
