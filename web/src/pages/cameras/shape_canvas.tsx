// The picture with its shapes, and the shape that is being drawn or changed, by mouse, touch or keyboard.

import type { ComponentChildren, TargetedKeyboardEvent, TargetedMouseEvent, TargetedPointerEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type DraftChange, isComplete, type ShapeDraft } from "./shape_draft";
import { type Shape, Shapes } from "./shape_drawing";
import { edgeMiddles, nudge, type Point, pointAt, pointOf } from "./shape_points";
import { useZoneWords } from "./zone_words";

const NUDGES: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const FINE_STEP = 0.005;
const COARSE_STEP = 0.05;

interface Props {
  /** What lies below the drawing. */
  picture: ComponentChildren;
  /** Width divided by height of the picture. */
  aspect: number;
  /** Shapes that are not being changed. */
  shapes: Shape[];
  draft: ShapeDraft | null;
  draftKind: string;
  draftDirection: string | null;
  change: (change: DraftChange) => void;
  cancel: () => void;
}

export function ShapeCanvas(props: Props) {
  const { aspect, draft, change, cancel } = props;
  const words = useZoneWords();
  const frame = useRef<HTMLDivElement>(null);
  const isOpen = draft?.isOpen ?? false;
  const [cross, setCross] = useState<Point | null>(null);
  useEffect(() => {
    // Keys draw at once, without a search for the picture.
    if (isOpen) frame.current?.focus({ preventScroll: true });
    else setCross(null);
  }, [isOpen]);

  const at = (event: { clientX: number; clientY: number }): Point => {
    const box = frame.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 1, height: 1 };
    return pointAt(box, event.clientX, event.clientY);
  };
  // A click and not a press: a finger that scrolls the page over the picture sets no point.
  const draw = (event: TargetedMouseEvent<HTMLDivElement>) => {
    const isOnPoint = event.target instanceof HTMLElement && event.target.closest("button") !== null;
    if (!isOpen || isOnPoint) return;
    setCross(null);
    change({ type: "add", at: at(event) });
  };
  const drawByKey = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    if (draft === null || event.target !== frame.current) return;
    const direction = NUDGES[event.key];
    if (isOpen && direction !== undefined) {
      const step = stepOf(event);
      setCross(nudge(cross ?? pointOf(0.5, 0.5), direction[0] * step, direction[1] * step));
    } else if (isOpen && event.key === " ") change({ type: "add", at: cross ?? pointOf(0.5, 0.5) });
    else if (isOpen && (event.key === "Backspace" || event.key === "Delete"))
      change({ type: "remove", index: draft.points.length - 1 });
    else return;
    event.preventDefault();
  };
  const isUndo = (event: KeyboardEvent) => event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey);
  const finishOrCancel = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    drawByKey(event);
    if (draft === null || event.defaultPrevented) return;
    if (event.key === "Escape") cancel();
    else if (event.key === "Enter" && isOpen) change({ type: "close" });
    else if (isUndo(event)) change({ type: "undo" });
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is an application while something is drawn, and a picture otherwise.
    <div
      ref={frame}
      class={`shape-canvas ${isOpen ? "drawing" : ""}`}
      style={{ aspectRatio: String(aspect) }}
      role={draft === null ? "img" : "application"}
      aria-label={words.picture}
      tabIndex={isOpen ? 0 : -1}
      onClick={draw}
      onKeyDown={finishOrCancel}
    >
      {props.picture}
      <Shapes
        shapes={props.shapes}
        draft={draft}
        draftKind={props.draftKind}
        draftDirection={props.draftDirection}
        aspect={aspect}
      />
      {draft !== null && <Handles draft={draft} change={change} at={at} />}
      {isOpen && cross !== null && <span class="cross" style={placeOf(cross)} />}
    </div>
  );
}

const stepOf = (event: KeyboardEvent): number => (event.shiftKey ? COARSE_STEP : FINE_STEP);
const placeOf = ([x, y]: Point) => ({ left: `${x * 100}%`, top: `${y * 100}%` });
const percentOf = (share: number): number => Math.round(share * 100);

interface HandlesProps {
  draft: ShapeDraft;
  change: (change: DraftChange) => void;
  at: (event: { clientX: number; clientY: number }) => Point;
}

/** The points as buttons: they can be dragged, focused and moved by keys; small ones on the edges insert a point. */
function Handles({ draft, change, at }: HandlesProps) {
  const words = useZoneWords();
  const { points, isOpen, isLine } = draft;
  const dragged = useRef<number | null>(null);
  const grab = (event: TargetedPointerEvent<HTMLButtonElement>, index: number) => {
    if (event.button !== 0 || isOpen) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    dragged.current = index;
    change({ type: "grab", index });
  };
  const keys = (event: TargetedKeyboardEvent<HTMLButtonElement>, index: number) => {
    const direction = NUDGES[event.key];
    if (direction !== undefined) {
      const step = stepOf(event);
      change({ type: "nudge", index, dx: direction[0] * step, dy: direction[1] * step });
    } else if (event.key === "Delete" || event.key === "Backspace") change({ type: "remove", index });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      {!isOpen &&
        !isLine &&
        edgeMiddles(points, true).map((middle, index) => (
          <button
            key={`edge ${index}`}
            type="button"
            class="handle edge"
            style={placeOf(middle)}
            aria-label={words.insertName(index + 1)}
            onClick={() => change({ type: "insert", after: index, at: middle })}
          />
        ))}
      {points.map((point, index) => (
        <button
          key={`point ${index}`}
          type="button"
          class={`handle ${index === draft.chosen ? "chosen" : ""} ${isOpen && index === 0 && isComplete(draft) ? "closing" : ""}`}
          style={placeOf(point)}
          aria-label={words.pointName(index + 1, points.length, percentOf(point[0]), percentOf(point[1]))}
          onClick={() => index === 0 && change({ type: "close" })}
          onPointerDown={(event) => grab(event, index)}
          onPointerMove={(event) => dragged.current === index && change({ type: "drag", index, to: at(event) })}
          onPointerUp={() => {
            dragged.current = null;
          }}
          onPointerCancel={() => {
            dragged.current = null;
          }}
          onFocus={() => change({ type: "choose", index })}
          onKeyDown={(event) => keys(event, index)}
        />
      ))}
    </>
  );
}
