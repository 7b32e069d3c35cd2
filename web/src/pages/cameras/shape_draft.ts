// A zone, mask or line while it is drawn: its points, the chosen one, and what can be undone. Pure.

import { nudge, type Point, samePoint } from "./shape_points";

interface Step {
  points: readonly Point[];
  isOpen: boolean;
}

export interface ShapeDraft extends Step {
  isLine: boolean;
  /** The point that arrow keys move, by its index. */
  chosen: number | null;
  /** Earlier states, the newest last. */
  undo: readonly Step[];
  /** The point that the last change moved by a key: the next move of the same point belongs to the same step. */
  nudged: number | null;
}

export type DraftChange =
  | { type: "add"; at: Point }
  | { type: "insert"; after: number; at: Point }
  | { type: "close" }
  | { type: "choose"; index: number | null }
  | { type: "grab"; index: number }
  | { type: "drag"; index: number; to: Point }
  | { type: "nudge"; index: number; dx: number; dy: number }
  | { type: "remove"; index: number }
  | { type: "undo" };

const LINE_POINTS = 2;
const MIN_CORNERS = 3;
export const MAX_CORNERS = 100;

/** A new shape, whose points are added one by one. */
export const newDraft = (isLine: boolean): ShapeDraft => ({
  isLine,
  points: [],
  isOpen: true,
  chosen: null,
  undo: [],
  nudged: null,
});

/** A shape that is there already. */
export const draftOf = (points: readonly Point[], isLine: boolean): ShapeDraft => ({
  ...newDraft(isLine),
  points,
  isOpen: false,
});

export const isComplete = ({ isLine, points }: ShapeDraft): boolean =>
  isLine ? points.length === LINE_POINTS : points.length >= MIN_CORNERS;

export function changeDraft(draft: ShapeDraft, change: DraftChange): ShapeDraft {
  const { points } = draft;
  switch (change.type) {
    case "add":
      return addPoint(draft, change.at);
    case "insert":
      if (draft.isLine || points.length >= MAX_CORNERS) return draft;
      return step(draft, { points: points.toSpliced(change.after + 1, 0, change.at), chosen: change.after + 1 });
    case "close":
      return draft.isOpen && isComplete(draft) ? step(draft, { isOpen: false }) : draft;
    case "choose":
      return { ...draft, chosen: change.index, nudged: null };
    case "grab":
      return step(draft, { chosen: change.index });
    case "drag":
      return { ...draft, points: points.with(change.index, change.to) };
    case "nudge":
      return nudgePoint(draft, change);
    case "remove":
      return removePoint(draft, change.index);
    case "undo": {
      const last = draft.undo.at(-1);
      if (last === undefined) return draft;
      return { ...draft, ...last, chosen: null, undo: draft.undo.slice(0, -1), nudged: null };
    }
  }
}

function step(draft: ShapeDraft, change: Partial<ShapeDraft>): ShapeDraft {
  const { points, isOpen, undo } = draft;
  return { ...draft, undo: [...undo, { points, isOpen }], nudged: null, ...change };
}

/** A second click at the same place adds nothing, and a line is complete with its second point. */
function addPoint(draft: ShapeDraft, at: Point): ShapeDraft {
  const { points, isLine } = draft;
  const last = points.at(-1);
  if (!draft.isOpen || points.length >= MAX_CORNERS || (last !== undefined && samePoint(last, at))) return draft;
  const added = [...points, at];
  return step(draft, { points: added, isOpen: !(isLine && added.length === LINE_POINTS) });
}

function nudgePoint(draft: ShapeDraft, { index, dx, dy }: { index: number; dx: number; dy: number }): ShapeDraft {
  const point = draft.points[index];
  if (point === undefined) return draft;
  const change = { points: draft.points.with(index, nudge(point, dx, dy)), chosen: index, nudged: index };
  return draft.nudged === index ? { ...draft, ...change } : step(draft, change);
}

/** A closed shape keeps as many points as it needs. */
function removePoint(draft: ShapeDraft, index: number): ShapeDraft {
  const { points, isOpen, isLine } = draft;
  if (points[index] === undefined || (!isOpen && (isLine || points.length <= MIN_CORNERS))) return draft;
  const left = points.toSpliced(index, 1);
  return step(draft, { points: left, chosen: left.length === 0 ? null : Math.min(index, left.length - 1) });
}
