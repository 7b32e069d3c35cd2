// The alert rules tab: list, new rules, test, on and off, remove.

import { useState } from "preact/hooks";
import { get, patch, put, remove } from "../../api/client";
import type { CameraAnswer, Conditions, RulesAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { percent } from "../../core/format";
import { Badge, Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { notify, notifyError } from "../../ui/toasts";
import { LevelBadge } from "./badges";
import { bodyOf, draftOf } from "./rule_draft";
import { RuleForm } from "./rule_form";
import { RuleTest } from "./rule_test";
import { type RuleWords, useRuleWords } from "./rule_words";
import { SnoozeMenu } from "./snooze";

type Rule = RulesAnswer["rules"][number];

export function RulesTab({ cameras }: { cameras: CameraAnswer[] }) {
  const words = useRuleWords();
  const rules = useData("rules", (signal) => get<RulesAnswer>("/api/alert-rules", { signal }));
  const [isAdding, setIsAdding] = useState(false);
  const [edited, setEdited] = useState<Rule | null>(null);
  const [tested, setTested] = useState<Rule | null>(null);
  const [removing, setRemoving] = useState<Rule | null>(null);
  const list = rules.value?.rules;
  const toggle = (rule: Rule) => {
    const body = { ...bodyOf(draftOf(rule), rule), is_enabled: !rule.is_enabled };
    put(`/api/alert-rules/${rule.rule_id}`, { body }).then(() => {
      notify(rule.is_enabled ? words.turnedOff(rule.name) : words.turnedOn(rule.name));
      rules.reload();
    }, notifyError);
  };
  const snooze = (rule: Rule, until: string | null) =>
    void patch(`/api/alert-rules/${rule.rule_id}/snooze`, { body: { until } }).then(() => {
      notify(until === null ? words.snoozeEnded(rule.name) : words.didSnooze(rule.name));
      rules.reload();
    }, notifyError);
  return (
    <>
      <p class="tab-actions">
        <Button icon="alarm" kind="primary" onClick={() => setIsAdding(true)}>
          {words.add}
        </Button>
      </p>
      {rules.error && <ErrorNote error={rules.error} retry={rules.reload} />}
      {list === undefined && rules.isLoading && <Loading />}
      {list?.length === 0 && (
        <Empty title={words.none} icon="alarm">
          <p>{words.noneText}</p>
        </Empty>
      )}
      {list !== undefined && list.length > 0 && (
        <ul class="card-list" aria-label={words.list}>
          {list.map((rule) => (
            <li key={rule.rule_id} class="card">
              <div>
                <span class="line">
                  <strong>{rule.name}</strong>
                  <LevelBadge level={rule.severity} />
                  {!rule.is_enabled && <Badge icon="pause">{words.off}</Badge>}
                  {rule.paused !== null && <Badge icon="pause">{words.paused}</Badge>}
                </span>
                <span class="soft">{describeConditions(rule.conditions, cameras, words)}</span>
                {rule.paused !== null && <span class="soft">{words.pausedText}</span>}
              </div>
              <span class="line">
                <Button onClick={() => setTested(rule)}>{words.test}</Button>
                <Button icon="pencil" onClick={() => setEdited(rule)}>
                  {words.edit}
                </Button>
                {rule.is_enabled && (
                  <SnoozeMenu label={words.snooze} until={rule.snoozed_until} snooze={(until) => snooze(rule, until)} />
                )}
                <Button onClick={() => toggle(rule)}>{rule.is_enabled ? words.turnOff : words.turnOn}</Button>
                <Button icon="trash" kind="quiet" iconOnly onClick={() => setRemoving(rule)}>
                  {words.removeTitle(rule.name)}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {isAdding && <RuleForm cameras={cameras} close={() => setIsAdding(false)} saved={rules.reload} />}
      {edited !== null && (
        <RuleForm cameras={cameras} edited={edited} close={() => setEdited(null)} saved={rules.reload} />
      )}
      {tested !== null && <RuleTest ruleId={tested.rule_id} name={tested.name} close={() => setTested(null)} />}
      {removing !== null && (
        <Confirm
          title={words.removeTitle(removing.name)}
          text={words.removeText}
          action={words.remove}
          close={() => setRemoving(null)}
          run={() => {
            remove(`/api/alert-rules/${removing.rule_id}`).then(() => {
              notify(words.removed);
              rules.reload();
            }, notifyError);
          }}
        />
      )}
    </>
  );
}

function describeConditions(conditions: Conditions, cameras: CameraAnswer[], words: RuleWords): string {
  const nameOf = (id: string) => cameras.find((item) => item.camera_id === id)?.name ?? id;
  const parts: string[] = [];
  if (conditions.risk_threshold != null) parts.push(words.ifScore(conditions.risk_threshold));
  if (conditions.object_types?.length) parts.push(words.ifObjects(conditions.object_types.join(", ")));
  if (conditions.camera_ids?.length) parts.push(words.ifCameras(conditions.camera_ids.map(nameOf).join(", ")));
  if (conditions.zones?.length) parts.push(words.ifZones(conditions.zones.join(", ")));
  if (conditions.behaviours?.length)
    parts.push(words.ifBehaviours(conditions.behaviours.join(", ").replaceAll("_", " ")));
  if (conditions.min_confidence != null) parts.push(words.ifConfidence(percent(conditions.min_confidence)));
  if (conditions.schedule) {
    const { start = "00:00", end = "00:00", zone = "UTC" } = conditions.schedule;
    parts.push(words.ifSchedule(start.slice(0, 5), end.slice(0, 5), zone));
  }
  return parts.length === 0 ? words.everything : parts.join(" · ");
}
