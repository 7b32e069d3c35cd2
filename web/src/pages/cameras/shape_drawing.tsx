// Zones, masks and lines drawn over a picture. Screen readers get them from the list beside it.

import type { ShapeDraft } from "./shape_draft";
import { arrowAcross, middleOf, type Point } from "./shape_points";

export interface Shape {
  id: number;
  name: string;
  kind: string;
  points: Point[];
  /** Of a line: which crossings count. */
  direction: string | null;
}

interface Props {
  shapes: Shape[];
  draft: ShapeDraft | null;
  draftKind: string;
  draftDirection: string | null;
  aspect: number;
}

const listOf = (points: readonly Point[]): string => points.map(([x, y]) => `${x},${y}`).join(" ");

export function Shapes({ shapes, draft, draftKind, draftDirection, aspect }: Props) {
  return (
    <>
      <svg class="shapes" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        {shapes.map((shape) => (
          <g key={shape.id} class={`shape ${shape.kind}`}>
            {shape.kind === "line" ? (
              <Line points={shape.points} direction={shape.direction} aspect={aspect} />
            ) : (
              <polygon points={listOf(shape.points)} />
            )}
          </g>
        ))}
        {draft !== null && draft.points.length > 0 && (
          <g class={`shape draft ${draftKind}`}>
            {draft.isLine ? (
              <Line points={draft.points} direction={draftDirection} aspect={aspect} />
            ) : draft.isOpen ? (
              <polyline points={listOf(draft.points)} />
            ) : (
              <polygon points={listOf(draft.points)} />
            )}
          </g>
        )}
      </svg>
      {shapes.map((shape) => {
        const [x, y] = shape.kind === "line" ? (shape.points[0] ?? [0, 0]) : middleOf(shape.points);
        return (
          <span
            key={shape.id}
            class="shape-name"
            style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
            aria-hidden="true"
          >
            {shape.name}
          </span>
        );
      })}
    </>
  );
}

/** A line with an arrow in each direction that counts. */
function Line({ points, direction, aspect }: { points: readonly Point[]; direction: string | null; aspect: number }) {
  const arrow = arrowAcross(points, aspect);
  const [left, right] = arrow ?? [];
  return (
    <>
      <polyline points={listOf(points)} />
      {arrow !== null && <polyline points={listOf(arrow)} />}
      {left && right && direction !== "to_left" && <polyline points={listOf(headOf(left, right, aspect))} />}
      {left && right && direction !== "to_right" && <polyline points={listOf(headOf(right, left, aspect))} />}
    </>
  );
}

/** The head of an arrow: two short strokes back from its tip. */
function headOf(from: Point, to: Point, aspect: number): Point[] {
  const [dx, dy] = [(to[0] - from[0]) * aspect, to[1] - from[1]];
  const barb = (turn: number): Point => {
    const [back, across] = [0.35, 0.25 * turn];
    return [to[0] - (dx * back - dy * across) / aspect, to[1] - (dy * back + dx * across)];
  };
  return [barb(1), to, barb(-1)];
}
