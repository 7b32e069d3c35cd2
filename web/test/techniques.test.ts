import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { TechniqueMarkAnswer, TechniqueMarksAnswer, TechniqueNameAnswer } from "../src/api/types";
import { alsoFoundBy, isPublished, newest, withChange, withMark } from "../src/pages/video/techniques/marks";
import { matchingNames } from "../src/pages/video/techniques/name_search";
import { lanesOf } from "../src/pages/video/techniques/strip";

const mark = (id: string, more: Partial<TechniqueMarkAnswer> = {}): TechniqueMarkAnswer => ({
  id,
  t_start: 1000,
  t_end: 2000,
  category: "GUARD_PLAY",
  name: "Sweep",
  role: "blue",
  confidence: 1,
  version: 1,
  state: "candidate",
  finished: null,
  note: "",
  analyzer: "pose",
  job_id: null,
  is_edited: false,
  original: null,
  changed_by: null,
  changed_at: "2026-01-17T10:00:00.000Z",
  ...more,
});

const named = (name: string, category: TechniqueNameAnswer["category"], name_pt = name, also: string[] = []) => ({
  name,
  category,
  name_pt,
  also,
  is_own: false,
});

test("a changed mark stays in the order of time, a deleted one goes", () => {
  const marks = [mark("a"), mark("b", { t_start: 5000, t_end: 6000 })];
  deepEqual(
    withMark(marks, mark("a", { t_start: 7000, t_end: 8000 }), true).map((item) => item.id),
    ["b", "a"],
  );
  deepEqual(
    withMark(marks, mark("a"), false).map((item) => item.id),
    ["b"],
  );
});

test("a change of one's own counts once, also if a reload brought it before its own answer came", () => {
  const at = (revision: number, ...marks: TechniqueMarkAnswer[]): TechniqueMarksAnswer => ({
    video_id: "v",
    revision,
    can_change: true,
    published: null,
    marks,
  });
  const changed = mark("a", { version: 2 });
  equal(withChange(at(5, mark("a")), changed, true).revision, 6);
  equal(withChange(at(6, changed), changed, true).revision, 6);
  equal(withChange(at(6, mark("a", { version: 3 })), changed, true).marks[0]?.version, 3);
  equal(withChange(at(5, mark("a")), changed, false).revision, 6);
  equal(withChange(at(6), changed, false).revision, 6);
  equal(withChange(at(5), mark("b"), true).revision, 6);
});

test("a reload from before a change does not undo it in the page", () => {
  const at = (revision: number): TechniqueMarksAnswer => ({
    video_id: "v",
    revision,
    can_change: true,
    published: null,
    marks: [],
  });
  const shown = at(5);
  equal(newest(shown, at(4)), shown);
  for (const loaded of [at(5), at(6)]) equal(newest(shown, loaded), loaded);
});

test("what was published is published again on purpose only, and a changed set as usual", () => {
  const published = { job_id: "j", revision: 5, total_event_count: 1, published_at: "", published_by: "p" };
  const at = (revision: number): TechniqueMarksAnswer => ({
    video_id: "v",
    revision,
    can_change: true,
    published,
    marks: [],
  });
  deepEqual([at(5), at(6), { ...at(5), published: null }].map(isPublished), [true, false, false]);
});

test("another analyzer agrees where the category is the same at the same time", () => {
  const own = mark("a");
  const others = [
    mark("b", { analyzer: "vision-llm", t_start: 1900, t_end: 3000 }),
    mark("c", { analyzer: "late", t_start: 2000, t_end: 3000 }),
    mark("d", { analyzer: "other", category: "GUARD_PASSING" }),
    mark("e", { analyzer: "wrong", state: "rejected" }),
  ];
  deepEqual(alsoFoundBy(own, [own, ...others]), ["vision-llm"]);
});

test("lanes are athletes for what is accepted, then analyzers for their candidates", () => {
  const lanes = lanesOf(
    [
      mark("a"),
      mark("b", { state: "accepted", role: "white" }),
      mark("c", { analyzer: "vision-llm" }),
      mark("d", { state: "rejected", role: "red" }),
      mark("e", { analyzer: null }),
    ],
    "by hand",
  );
  deepEqual(
    lanes.map((lane) => lane.label),
    ["white", "pose", "vision-llm", "by hand"],
  );
});

test("names are found by the beginnings of words, without accents, in both languages", () => {
  const names = [
    named("Armbar", "SUBMISSION_OFFENSE", "Chave de Braço", ["armlock"]),
    named("Armbar from Guard", "SUBMISSION_OFFENSE"),
    named("Closed Guard", "GUARD_PLAY"),
  ];
  const found = (query: string, category = "GUARD_PLAY") =>
    matchingNames(names, query, category).map((one) => one.name);
  deepEqual(found("braco"), ["Armbar"]);
  deepEqual(found("arml"), ["Armbar"]);
  deepEqual(found("guard"), ["Closed Guard", "Armbar from Guard"]);
  deepEqual(found("guard arm"), ["Armbar from Guard"]);
  equal(found("").length, 3);
  deepEqual(found("nothing"), []);
});
