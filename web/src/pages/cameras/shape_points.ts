// Points of zones, masks and lines, as fractions from 0 to 1 of the picture's width and height.

export type Point = readonly [x: number, y: number];

/** The corners of a shape on a picture that is shown in a box. */
interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Finer than a pixel of a 4K picture. */
const DIGITS = 10_000;

const clamp = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * DIGITS) / DIGITS;

export const pointOf = (x: number, y: number): Point => [clamp(x), clamp(y)];

/** The point of the picture under the pointer. */
export function pointAt(box: Box, clientX: number, clientY: number): Point {
  return pointOf((clientX - box.left) / box.width, (clientY - box.top) / box.height);
}

export const nudge = ([x, y]: Point, dx: number, dy: number): Point => pointOf(x + dx, y + dy);

export const samePoint = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1];

/** The middle of each edge, where a point can be inserted; the edge from the last point to the first belongs to a closed shape. */
export function edgeMiddles(points: readonly Point[], isClosed: boolean): Point[] {
  const ends = isClosed ? points : points.slice(0, -1);
  return ends.map(([x, y], index) => {
    const [nextX, nextY] = points[(index + 1) % points.length] as Point;
    return pointOf((x + nextX) / 2, (y + nextY) / 2);
  });
}

/** Where the name of a shape is written: the middle of its corners. */
export function middleOf(points: readonly Point[]): Point {
  const sum = points.reduce<[number, number]>(([x, y], [px, py]) => [x + px, y + py], [0, 0]);
  return pointOf(sum[0] / points.length, sum[1] / points.length);
}

/** Twice the area of a triangle of corners a, b, c: positive if c is to the right of a → b on a screen, whose y grows downwards. */
const side = (a: Point, b: Point, c: Point): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** Whether two edges of the outline cross, so that inside and outside are not what they seem. */
export function crossesItself(points: readonly Point[]): boolean {
  const count = points.length;
  for (let first = 0; first < count; first += 1) {
    for (let second = first + 2; second < count; second += 1) {
      // The last edge and the first share a corner.
      if (first === 0 && second === count - 1) continue;
      const [a, b] = [points[first] as Point, points[(first + 1) % count] as Point];
      const [c, d] = [points[second] as Point, points[(second + 1) % count] as Point];
      if (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) return true;
    }
  }
  return false;
}

/** An arrow across a line, from its left to its right as somebody sees it who walks along it, on a picture of these proportions. */
export function arrowAcross(points: readonly Point[], aspect: number): [from: Point, to: Point] | null {
  const [a, b] = points;
  if (a === undefined || b === undefined) return null;
  const [dx, dy] = [(b[0] - a[0]) * aspect, b[1] - a[1]];
  const length = Math.hypot(dx, dy);
  if (length === 0) return null;
  const half = 0.06;
  const [x, y] = middleOf([a, b]);
  const [acrossX, acrossY] = [(-dy / length / aspect) * half, (dx / length) * half];
  return [pointOf(x - acrossX, y - acrossY), pointOf(x + acrossX, y + acrossY)];
}
