import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { AlertRuleAnswer, DetectionAnswer } from "../src/api/types";
import { shareOfDay } from "../src/pages/events/day_marks";
import { isOutdated } from "../src/pages/events/event_clip";
import { type EventFilter, hasAssignee, matchesFilter, spanOfDay } from "../src/pages/events/filter";
import { patched, patchOf } from "../src/pages/events/live_patch";
import { bodyOf, draftOf, EMPTY_RULE } from "../src/pages/events/rule_draft";
import { seenObjects } from "../src/pages/events/seen_objects";

const RULE: AlertRuleAnswer = {
  rule_id: 1,
  name: "Night",
  is_enabled: false,
  severity: "critical",
  conditions: {
    risk_threshold: 40,
    object_types: ["person", "dog"],
    camera_ids: ["door"],
    zones: ["Porch"],
    behaviours: ["loitering"],
    min_confidence: 0.5,
    schedule: { days: ["mon"], start: "22:00", end: "06:00", zone: "Europe/Berlin" },
  },
  cooldown_s: 60,
  escalate_after_s: null,
  escalation: [{ after_s: 300, user_id: null, channel: "email" }],
  quiet_hours: null,
  quiet_lets_critical: false,
  snoozed_until: null,
  team_id: "00000000-0000-0000-0000-000000000009",
  paused: null,
  created_at: "2026-11-18T00:00:00Z",
};

test("a rule that is edited without a change is saved as it was", () => {
  const { rule_id: _, snoozed_until: __, paused: ___, created_at: ____, ...body } = RULE;
  deepEqual(bodyOf(draftOf(RULE), RULE), body);
});

test("an empty form is a rule for every camera, object and hour", () => {
  const body = bodyOf(EMPTY_RULE);
  deepEqual(body.conditions?.object_types, []);
  equal(body.conditions?.schedule, null);
  equal(body.quiet_hours, null);
});

test("a day runs from midnight to midnight of the browser's clock, and other texts are no days", () => {
  const span = spanOfDay("2026-11-18");
  equal(span?.since, new Date(2026, 10, 18).toISOString());
  equal(span?.until, new Date(2026, 10, 19).toISOString());
  equal(spanOfDay("2026-11"), null);
  equal(spanOfDay("2026-99-99"), null);
  equal(span && shareOfDay(new Date(2026, 10, 18, 12).toISOString(), span), 0.5);
});

const ME = "00000000-0000-0000-0000-000000000001";
const ANY: EventFilter = {
  state: "open",
  levels: [],
  camera: "",
  words: "",
  object: "",
  zone: "",
  assigned: "",
  day: "",
};

test("a live event of another day, object or zone does not match", () => {
  const event = { started_at: new Date(2026, 10, 18, 3).toISOString(), object_types: ["person"] };
  const matches = (change: object) => matchesFilter({ ...ANY, ...change }, event, ME);
  equal(matches({}), true);
  equal(matches({ day: "2026-11-18", object: "person" }), true);
  equal(matches({ day: "2026-11-17" }), false);
  equal(matches({ object: "dog" }), false);
  equal(matches({ zone: "Porch" }), false);
});

test("events that are assigned to me are mine alone, and those of nobody are nobody's", () => {
  const matches = (assigned: string, event: object) => matchesFilter({ ...ANY, assigned }, event, ME);
  const other = "00000000-0000-0000-0000-000000000002";
  equal(matches("me", { assigned_to: ME }), true);
  equal(matches("me", { assigned_to: other }), false);
  equal(matches("me", { assigned_to: null }), false);
  equal(matches("nobody", { assigned_to: other }), false);
  equal(matches("nobody", { assigned_to: null }), true);
  // A new event is nobody's: its message names no person.
  equal(matches("me", {}), false);
  equal(matches("nobody", {}), true);
  equal(matches("", { assigned_to: other }), true);
  // Until the page knows who reads it, no event is theirs.
  equal(matchesFilter({ ...ANY, assigned: "me" }, { assigned_to: ME }, null), false);
  // Rows of the list have the person, and not the id alone.
  equal(hasAssignee({ ...ANY, assigned: "me" }, { assignee: { user_id: ME, name: null } }, ME), true);
  equal(hasAssignee({ ...ANY, assigned: "nobody" }, { assignee: { user_id: ME, name: null } }, ME), false);
});

test("a clip that ends before its event is outdated", () => {
  const at = (second: number) => `2026-11-18T10:00:${second}Z`;
  equal(isOutdated({ ended_at: at(40) }, { ended_at: at(30) }), true);
  equal(isOutdated({ ended_at: at(40) }, { ended_at: at(45) }), false);
  equal(isOutdated({ ended_at: null }, { ended_at: at(45) }), false);
});

test("live messages change who handles an event, its snooze, its comments and its reopening", () => {
  const changed = (type: string, data: object) => patchOf({ type, data: { id: 7, ...data } });
  deepEqual(changed("event.assigned", { assigned_to: ME, assignee: "ana@example.com" }).assignee, {
    user_id: ME,
    name: "ana@example.com",
  });
  equal(changed("event.assigned", { assigned_to: null, assignee: null }).assignee, null);
  equal("assignee" in changed("event.acknowledged", { assigned_to: ME }), false);
  equal(changed("event.snoozed", { snoozed_until: null }).snoozed_until, null);
  equal(changed("event.commented", { comment_count: 3 }).comment_count, 3);
  deepEqual(changed("event.reopened", { state: "acknowledged" }), {
    id: 7,
    state: "acknowledged",
    resolved_at: null,
    resolved_by: null,
    resolution_notes: null,
  });
  deepEqual(changed("event.updated", { object_types: ["dog"] }).objects, ["dog"]);
});

test("a message or a reload that was overtaken by a later change does not undo it", () => {
  const event = { version: 3, state: "resolved" };
  equal(patched(event, { version: 2, state: "acknowledged" }), event);
  deepEqual(patched(event, { version: 4, state: "acknowledged" }), { version: 4, state: "acknowledged" });
  deepEqual(patched({ ...event, comment_count: 0 }, { version: 3, comment_count: 1 }), { ...event, comment_count: 1 });
});

const detection = (id: number, attributes: Record<string, unknown>, more: Partial<DetectionAnswer> = {}) =>
  ({
    id,
    object_type: "person",
    confidence: 0.9,
    detected_at: "2026-11-18T00:00:00Z",
    bbox: [0.1, 0.1, 0.1, 0.2],
    image_url: `/pictures/${id}`,
    attributes,
    ...more,
  }) as DetectionAnswer;

test("reports of one track are one object with its best picture, and nothing raw is shown of it", () => {
  const path = [[0.1, 0.9]];
  const [first, second, ...none] = seenObjects([
    detection(1, { track_id: "a", path, model: "m", seconds: 0.6, behaviours: [] }),
    detection(2, { track_id: "b", path, model: "m", seconds: 2, behaviours: [] }),
    detection(
      3,
      { track_id: "a", seconds: 4, direction: "right", behaviours: [{ kind: "entered_zone", zone: "Porch" }] },
      { bbox: [0.2, 0.2, 0.4, 0.6] },
    ),
    detection(4, { track_id: "a", seconds: 5.6, direction: "left", ended: true, behaviours: [] }, { image_url: null }),
  ]);
  deepEqual(none, []);
  equal(first?.shown.id, 3);
  deepEqual([first?.reports, first?.seconds, first?.direction], [3, 5.6, "left"]);
  deepEqual(first?.behaviours, [{ kind: "entered_zone", zone: "Porch" }]);
  deepEqual(first?.others, {});
  deepEqual([second?.shown.id, second?.direction], [2, null]);
});

test("detections of somebody else's detector are objects of their own with all that it said", () => {
  const objects = seenObjects([detection(1, { license_plate: "B-XY 12", direction: "north" }), detection(2, {})]);
  deepEqual(
    objects.map((one) => [one.shown.id, one.seconds, one.others]),
    [
      [1, null, { license_plate: "B-XY 12", direction: "north" }],
      [2, null, {}],
    ],
  );
});
