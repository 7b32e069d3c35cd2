import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { RetryAnswer, TypeCountsAnswer } from "../src/api/types";
import { type EventFilter, hasState, isOpen, isResolvable, matchesFilter, queryOf } from "../src/pages/events/filter";
import { patchOf } from "../src/pages/events/live_patch";
import { reasonsOf } from "../src/pages/jobs/actions";
import { countOf, oldestAge } from "../src/pages/jobs/counts";
import { groupOf } from "../src/pages/videos/statuses";
import { isolatedPoints } from "../src/ui/plot";
import { queueLabel } from "../src/ui/queue_name";

const filter = (change: Partial<EventFilter> = {}): EventFilter => ({
  state: "open",
  levels: [],
  camera: "",
  words: "",
  object: "",
  zone: "",
  assigned: "",
  day: "",
  ...change,
});

test("an event matches a filter by level, camera and words", () => {
  const event = { risk_level: "high", camera_id: "door", summary: "Person at the door", reasoning: "at night" };
  equal(matchesFilter(filter(), event, null), true);
  equal(matchesFilter(filter({ levels: ["critical"] }), event, null), false);
  equal(matchesFilter(filter({ camera: "yard" }), event, null), false);
  equal(matchesFilter(filter({ words: "NIGHT person" }), event, null), true);
  equal(matchesFilter(filter({ words: "night car" }), event, null), false);
});

test("all events are all but archived ones", () => {
  equal(hasState(filter({ state: "all" }), "resolved"), true);
  equal(hasState(filter({ state: "all" }), "archived"), false);
  deepEqual(queryOf(filter()).state, ["created", "broadcasted"]);
});

test("open and acknowledged events can be resolved", () => {
  deepEqual(
    ["created", "broadcasted", "acknowledged", "resolved"].map((state) => isOpen({ state })),
    [true, true, false, false],
  );
  equal(isResolvable({ state: "acknowledged" }), true);
  equal(isResolvable({ state: "resolved" }), false);
});

test("a live message changes only the fields that it has", () => {
  const data = { id: 1, state: "acknowledged", version: 2, camera_id: "ignored" };
  deepEqual(patchOf({ type: "event.acknowledged", data }), { id: 1, state: "acknowledged", version: 2 });
});

const counts = [
  { job_type: "ocr", queued: 1, processing: 2, done: 3, failed: 4, oldest_age_s: 9 },
  { job_type: "sample", queued: 10, processing: 0, done: 0, failed: 0, oldest_age_s: null },
] as TypeCountsAnswer[];

test("jobs are counted by type and status, empty meaning all", () => {
  equal(countOf(counts, "queued", ""), 11);
  equal(countOf(counts, "", "ocr"), 10);
  equal(countOf(counts, "failed", "sample"), 0);
  equal(oldestAge(counts, ""), 9);
  equal(oldestAge(counts, "sample"), null);
});

test("equal reasons for skipped jobs add up", () => {
  const id = (n: number) => `0000000${n}-0000-0000-0000-000000000000`;
  const report = {
    skipped: [1, 2].map((n) => ({ id: id(n), reason: `job ${id(n)} is active` })),
    not_found: [id(3)],
  } as unknown as RetryAnswer;
  const words = { gone: "job not found" } as Parameters<typeof reasonsOf>[1];
  deepEqual(reasonsOf(report, words), [
    ["job is active", 2],
    ["job not found", 1],
  ]);
});

test("every status of a video belongs to a group", () => {
  const groups = ["CREATED", "UPLOADING", "UPLOADED", "PROCESSING", "SPLITTING", "PRINTING", "COMPLETED", "FAILED"].map(
    groupOf,
  );
  deepEqual(groups, ["uploading", "uploading", ...Array(4).fill("processing"), "ready", "failed"]);
});

test("queues and topics have labels, with or without a stage or an ARN", () => {
  equal(queueLabel("rez-agent-message-queue-dev"), "message");
  equal(queueLabel("arn:aws:sns:us-east-1:000000000000:rez-agent-messages-prod"), "messages");
  equal(queueLabel("video_analysis_events_dlq"), "technique");
  equal(queueLabel("somebody-elses-queue"), undefined);
});

test("only values without a neighbour are drawn as points", () => {
  deepEqual(isolatedPoints([1, null, 2, 3, null, 0]), [0, 5]);
  deepEqual(isolatedPoints([null, null]), []);
});
