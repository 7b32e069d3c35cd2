// The escalation of a rule: who is notified after how many minutes without an acknowledgement.

import type { AssigneeAnswer } from "../../api/types";
import { Button } from "../../ui/basics";
import type { Step } from "./rule_draft";
import { useRuleWords } from "./rule_words";

const MAX_STEPS = 10;
const CHANNELS = ["", "email", "ntfy", "webhook"] as const;

interface Props {
  steps: Step[];
  /** Who may be notified beside the owner of the rule: the members of its team. */
  people: AssigneeAnswer[];
  change: (steps: Step[]) => void;
}

export function RuleSteps({ steps, people, change }: Props) {
  const words = useRuleWords();
  const put = (index: number, part: Partial<Step>) =>
    change(steps.map((step, at) => (at === index ? { ...step, ...part } : step)));
  const last = Number(steps.at(-1)?.minutes ?? 0) || 0;
  return (
    <fieldset class="rule-steps">
      <legend class="label">{words.steps}</legend>
      {steps.map((step, index) => (
        <div key={index} class="line rule-step">
          <label>
            {words.afterMinutes}{" "}
            <input
              type="number"
              min={1}
              max={1440}
              required
              value={step.minutes}
              onInput={(event) => put(index, { minutes: event.currentTarget.value })}
            />
          </label>
          {(people.length > 0 || step.user_id !== null) && (
            <select
              aria-label={words.stepPerson}
              value={step.user_id ?? ""}
              onChange={(event) => put(index, { user_id: event.currentTarget.value || null })}
            >
              <option value="">{words.ruleOwner}</option>
              {step.user_id !== null && !people.some((person) => person.user_id === step.user_id) && (
                <option value={step.user_id}>{words.unnamed(step.user_id.slice(-4))}</option>
              )}
              {people.map((person) => (
                <option key={person.user_id} value={person.user_id}>
                  {person.name ?? words.unnamed(person.user_id.slice(-4))}
                </option>
              ))}
            </select>
          )}
          <select
            aria-label={words.stepChannel}
            value={step.channel}
            onChange={(event) => put(index, { channel: event.currentTarget.value as Step["channel"] })}
          >
            {CHANNELS.map((channel) => (
              <option key={channel} value={channel}>
                {channel === "" ? words.chosenChannels : channel}
              </option>
            ))}
          </select>
          <Button icon="trash" kind="quiet" iconOnly onClick={() => change(steps.filter((_, at) => at !== index))}>
            {words.removeStep(index + 1)}
          </Button>
        </div>
      ))}
      {steps.length < MAX_STEPS && (
        <Button
          icon="add"
          onClick={() => change([...steps, { minutes: String(last + 5), channel: "", user_id: null }])}
        >
          {words.addStep}
        </Button>
      )}
      <small class="soft">{words.stepsHint}</small>
    </fieldset>
  );
}
