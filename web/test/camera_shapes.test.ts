import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import {
  changeDraft,
  type DraftChange,
  draftOf,
  isComplete,
  MAX_CORNERS,
  newDraft,
  type ShapeDraft,
} from "../src/pages/cameras/shape_draft";
import {
  arrowAcross,
  crossesItself,
  edgeMiddles,
  middleOf,
  type Point,
  pointAt,
} from "../src/pages/cameras/shape_points";

const SQUARE: Point[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];

const after = (draft: ShapeDraft, ...changes: DraftChange[]): ShapeDraft => changes.reduce(changeDraft, draft);
const add = (x: number, y: number): DraftChange => ({ type: "add", at: [x, y] });
const undo: DraftChange = { type: "undo" };

test("a point under the pointer is a share of the picture and never outside of it", () => {
  const box = { left: 100, top: 50, width: 400, height: 200 };
  deepEqual(pointAt(box, 200, 100), [0.25, 0.25]);
  deepEqual(pointAt(box, 0, 999), [0, 1]);
});

test("edges of an area have middles, also the one that closes it", () => {
  deepEqual(edgeMiddles(SQUARE, true), [
    [0.5, 0],
    [1, 0.5],
    [0.5, 1],
    [0, 0.5],
  ]);
  equal(edgeMiddles(SQUARE, false).length, 3);
  deepEqual(middleOf(SQUARE), [0.5, 0.5]);
});

test("an outline that crosses itself is noticed, one that only bends is not", () => {
  equal(crossesItself(SQUARE), false);
  equal(crossesItself([...SQUARE.slice(0, 1), ...SQUARE.slice(2), [1, 0]]), true);
  const bent: Point[] = [
    [0, 0],
    [1, 0],
    [0.5, 0.5],
    [1, 1],
    [0, 1],
  ];
  equal(crossesItself(bent), false);
});

test("the arrow of a line stands at right angles to it on the screen", () => {
  const arrow = arrowAcross(
    [
      [0.2, 0.5],
      [0.8, 0.5],
    ],
    16 / 9,
  );
  deepEqual(arrow, [
    [0.5, 0.44],
    [0.5, 0.56],
  ]);
  equal(arrowAcross([[0.5, 0.5]], 1), null);
});

test("an area is drawn point by point and closed once it has three", () => {
  const two = after(newDraft(false), add(0, 0), add(1, 0));
  equal(after(two, { type: "close" }).isOpen, true);
  const three = after(two, add(1, 1), { type: "close" });
  equal(three.isOpen, false);
  equal(isComplete(three), true);
  // A closed one gets points on its edges alone.
  equal(after(three, add(0, 1)).points.length, 3);
  deepEqual(after(three, { type: "insert", after: 2, at: [0, 0.5] }).points[3], [0, 0.5]);
});

test("a double click sets one point", () => {
  equal(after(newDraft(false), add(0.5, 0.5), add(0.5, 0.5)).points.length, 1);
});

test("a line is complete with its second point and stays a line", () => {
  const line = after(newDraft(true), add(0, 0), add(1, 1));
  equal(line.isOpen, false);
  equal(after(line, { type: "insert", after: 0, at: [0.5, 0.5] }).points.length, 2);
  equal(after(line, { type: "remove", index: 0 }).points.length, 2);
});

test("each change can be undone, a drag and a run of arrow keys as one", () => {
  const start = draftOf(SQUARE, false);
  const dragged = after(
    start,
    { type: "grab", index: 0 },
    { type: "drag", index: 0, to: [0.1, 0.1] },
    { type: "drag", index: 0, to: [0.2, 0.2] },
  );
  deepEqual(dragged.points[0], [0.2, 0.2]);
  deepEqual(after(dragged, undo).points, SQUARE);
  const right: DraftChange = { type: "nudge", index: 1, dx: 0, dy: 0.005 };
  const nudged = after(dragged, right, right, right);
  deepEqual(nudged.points[1], [1, 0.015]);
  deepEqual(after(nudged, undo).points[1], [1, 0]);
  deepEqual(after(nudged, undo, undo, undo).points, SQUARE);
});

test("undo opens an area again that was closed by mistake", () => {
  const closed = after(newDraft(false), add(0, 0), add(1, 0), add(1, 1), { type: "close" });
  equal(after(closed, undo).isOpen, true);
  equal(after(closed, undo).points.length, 3);
});

test("an area keeps three points, and no more than the API takes", () => {
  const triangle = draftOf(SQUARE.slice(1), false);
  equal(after(triangle, { type: "remove", index: 0 }).points.length, 3);
  equal(after(draftOf(SQUARE, false), { type: "remove", index: 3 }).chosen, 2);
  const full = draftOf(
    Array.from({ length: MAX_CORNERS }, (_, index) => [index / MAX_CORNERS, 0] as const),
    false,
  );
  equal(after(full, { type: "insert", after: 0, at: [0.5, 0.5] }).points.length, MAX_CORNERS);
});
