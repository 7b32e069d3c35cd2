// Form of an alert rule, new or changed.

import { useState } from "preact/hooks";
import { get, post, put } from "../../api/client";
import type { AlertRuleAnswer, AssigneeAnswer, CameraAnswer, RecipientsAnswer, TeamAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { useMe } from "../../api/use_me";
import { Button } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { FormField, useForm } from "../../ui/form";
import { localTimeZone } from "../../ui/time_zone_input";
import { notify } from "../../ui/toasts";
import { NameChoice } from "./name_choice";
import { bodyOf, draftOf, EMPTY_RULE, type RuleDraft } from "./rule_draft";
import { RuleSteps } from "./rule_steps";
import { RuleTrial } from "./rule_trial";
import { useRuleWords } from "./rule_words";
import { useZoneNames } from "./zone_names";

const FIELDS = [
  "name",
  "conditions.risk_threshold",
  "conditions.object_types",
  "conditions.zones",
  "conditions.behaviours",
  "conditions.min_confidence",
  "severity",
  "cooldown_s",
  "escalate_after_s",
];

const OBJECTS = ["person", "vehicle", "animal", "bag"] as const;
const BEHAVIOURS = ["entered_zone", "line_crossed", "loitering", "left_behind"] as const;

interface Props {
  cameras: CameraAnswer[];
  /** The rule to change; without one, a new rule is added. */
  edited?: AlertRuleAnswer | undefined;
  close: () => void;
  saved: () => void;
}

export function RuleForm({ cameras, edited, close, saved }: Props) {
  const words = useRuleWords();
  const [draft, setDraft] = useState(() => (edited === undefined ? EMPTY_RULE : draftOf(edited)));
  const me = useMe().value?.user_id;
  const teams =
    useData("recipients", (signal) => get<RecipientsAnswer>("/api/alert-rules/recipients", { signal })).value?.teams ??
    [];
  const mates = (team: TeamAnswer | undefined) => (team?.people ?? []).filter((person) => person.user_id !== me);
  // Of the cameras that are chosen, or of all.
  const watched = cameras.filter((one) => draft.cameras.length === 0 || draft.cameras.includes(one.camera_id));
  const zones = useZoneNames(watched.map((one) => one.camera_id));
  const change = (part: Partial<RuleDraft>) => setDraft((old) => ({ ...old, ...part }));
  const form = useForm(FIELDS, async () => {
    const body = bodyOf(draft, edited);
    await (edited === undefined
      ? post("/api/alert-rules", { body })
      : put(`/api/alert-rules/${edited.rule_id}`, { body }));
    notify(edited === undefined ? words.added : words.changed);
    saved();
    close();
  });
  const input = (
    label: string,
    field: string,
    key: "name" | "threshold" | "confidence" | "cooldown" | "escalate",
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
  const time = (label: string, key: "from" | "to" | "quietFrom" | "quietTo", hint?: string) => (
    <FormField label={label} hint={hint}>
      {(attributes) => (
        <input
          {...attributes}
          type="time"
          value={draft[key]}
          onInput={(event) => change({ [key]: event.currentTarget.value })}
        />
      )}
    </FormField>
  );
  return (
    <Dialog title={edited === undefined ? words.add : words.editTitle(edited.name)} close={close}>
      <form class="stack" onSubmit={form.submit}>
        {form.note}
        {input(words.name, "name", "name", { required: true })}
        {input(words.threshold, "conditions.risk_threshold", "threshold", { type: "number", min: 0, max: 100 })}
        <NameChoice
          label={words.objects}
          hint={words.objectsHint}
          others={words.otherObjects}
          error={form.errorOf("conditions.object_types")}
          value={draft.objects}
          usual={OBJECTS.map((name) => [name, words.objectName(name)])}
          change={(objects) => change({ objects })}
        />
        {(zones.length > 0 || draft.zones !== "") && (
          <NameChoice
            label={words.zones}
            hint={words.zonesHint}
            value={draft.zones}
            usual={zones.map((name) => [name, name])}
            change={(names) => change({ zones: names })}
          />
        )}
        <NameChoice
          label={words.behaviours}
          hint={words.behavioursHint}
          value={draft.behaviours}
          usual={BEHAVIOURS.map((name) => [name, words.behaviourName(name)])}
          change={(behaviours) => change({ behaviours })}
        />
        {input(words.confidence, "conditions.min_confidence", "confidence", {
          type: "number",
          min: 0,
          max: 1,
          step: 0.01,
        })}
        {(teams.length > 0 || draft.team !== "") && (
          <FormField label={words.team}>
            {(attributes) => (
              <select
                {...attributes}
                value={draft.team}
                onChange={(event) => change({ team: event.currentTarget.value })}
              >
                <option value="">{words.ownCameras}</option>
                {draft.team !== "" && !teams.some((team) => team.team_id === draft.team) && (
                  <option value={draft.team}>{words.teamOf("–")}</option>
                )}
                {teams.map((team) => (
                  <option key={team.team_id} value={team.team_id}>
                    {words.teamOf(namesOf(mates(team)))}
                  </option>
                ))}
              </select>
            )}
          </FormField>
        )}
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
          {time(words.from, "from", words.spanHint(localTimeZone()))}
          {time(words.to, "to")}
        </div>
        <div class="form-pair">
          {time(words.quietFrom, "quietFrom", words.quietHint)}
          {time(words.quietTo, "quietTo")}
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.letsCritical}
            onChange={(event) => change({ letsCritical: event.currentTarget.checked })}
          />
          {words.letsCritical}
        </label>
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
        {draft.steps.length === 0 &&
          input(words.escalate, "escalate_after_s", "escalate", { type: "number", min: 1, hint: words.escalateHint })}
        <RuleSteps
          steps={draft.steps}
          people={mates(teams.find((team) => team.team_id === draft.team))}
          change={(steps) => change({ steps })}
        />
        <RuleTrial body={() => bodyOf(draft, edited)} />
        <div class="actions">
          <Button type="submit" kind="primary" disabled={form.isSending}>
            {edited === undefined ? words.add : words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const MAX_NAMES = 3;

/** A team has no name of its own: a few of its members tell it from others. */
function namesOf(people: AssigneeAnswer[]): string {
  const names = people.map((person) => person.name ?? person.user_id.slice(-4));
  return `${names.slice(0, MAX_NAMES).join(", ")}${names.length > MAX_NAMES ? " …" : ""}` || "–";
}
