import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { VideoTrackAnswer } from "../src/api/types";
import { boxAt, boxesAt, coloursOf, isUncertain } from "../src/pages/video/tracks";

const track = (label: string, boxes: number[][], id = label): VideoTrackAnswer => ({
  track_id: id,
  label,
  label_share: 1,
  score: 0.9,
  t_start: boxes[0]?.[0] ?? 0,
  t_end: boxes.at(-1)?.[0] ?? 0,
  best_ms: 0,
  boxes,
  direction: null,
  behaviours: [],
  thumbnail_url: null,
});
const WALK = track("person", [
  [1000, 0, 0.5, 0.1, 0.4],
  [3000, 0.4, 0.5, 0.1, 0.4],
  [9000, 0.8, 0.5, 0.1, 0.4],
]);

test("between two boxes an object moves evenly", () => {
  equal(boxAt(WALK, 999), null);
  deepEqual(boxAt(WALK, 1000), [0, 0.5, 0.1, 0.4]);
  deepEqual(boxAt(WALK, 2000), [0.2, 0.5, 0.1, 0.4]);
});

test("nothing is drawn while an object is hidden, nor after its end", () => {
  deepEqual(boxAt(WALK, 3300), [0.4, 0.5, 0.1, 0.4]);
  equal(boxAt(WALK, 6000), null);
  equal(boxAt(WALK, 9500), null);
});

test("the boxes of a moment are those of the objects that are there", () => {
  const car = track("car", [
    [0, 0.7, 0.7, 0.2, 0.1],
    [2000, 0.7, 0.7, 0.2, 0.1],
  ]);
  const colours = coloursOf([WALK, car]);
  deepEqual(
    boxesAt([WALK, car], colours, 2000).map((box) => box.label),
    ["person", "car"],
  );
  deepEqual(
    boxesAt([WALK, car], colours, 3000).map((box) => box.label),
    ["person"],
  );
});

test("the most frequent labels have colours of their own", () => {
  const many = ["a", "b", "b", "c", "d", "e", "f"].map((label, index) =>
    track(label, [[0, 0, 0, 1, 1]], String(index)),
  );
  const colours = coloursOf(many);
  equal(colours.get("b"), 0);
  equal(new Set(colours.values()).size, 4);
});

test("an object on whose name the looks do not agree is unknown", () => {
  equal(isUncertain({ label_share: 0.4 }), true);
  equal(isUncertain({ label_share: 0.95 }), false);
});
