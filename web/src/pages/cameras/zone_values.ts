// Name, type and rules of a zone, mask or line while it is edited.

import type { NewZone, ZoneAnswer } from "../../api/types";
import type { Point } from "./shape_points";

export type ShapeKind = NewZone["kind"];
export type Direction = NonNullable<NewZone["direction"]>;

/** Kinds of areas; a line stays a line. */
export const AREA_KINDS = ["entry", "restricted", "public", "other", "mask"] as const satisfies readonly ShapeKind[];
export const DIRECTIONS = ["both", "to_right", "to_left"] as const satisfies readonly Direction[];

export interface ZoneValues {
  name: string;
  kind: ShapeKind;
  /** Seconds after which staying is loitering; empty: never. */
  loiterS: string;
  direction: Direction;
}

/** Staying at a door or where nobody should be is worth a report unless it is switched off. */
const usualLoiter = (kind: ShapeKind): string => (kind === "entry" || kind === "restricted" ? "60" : "");

export const newValues = (kind: ShapeKind): ZoneValues => ({
  name: "",
  kind,
  loiterS: usualLoiter(kind),
  direction: "both",
});

export const valuesOf = (zone: ZoneAnswer): ZoneValues => ({
  name: zone.name,
  kind: zone.kind as ShapeKind,
  loiterS: zone.loiter_s === null ? "" : String(zone.loiter_s),
  direction: (zone.direction as Direction | null) ?? "both",
});

/** The values with another kind: a limit that nobody has changed follows it. */
export const withKind = (values: ZoneValues, kind: ShapeKind): ZoneValues => ({
  ...values,
  kind,
  loiterS: values.loiterS === usualLoiter(values.kind) ? usualLoiter(kind) : values.loiterS,
});

export function bodyOf({ name, kind, loiterS, direction }: ZoneValues, points: readonly Point[]): NewZone {
  const shape = { name, kind, polygon: points.map(([x, y]): [number, number] => [x, y]) };
  if (kind === "line") return { ...shape, direction };
  if (kind === "mask") return shape;
  return { ...shape, loiter_s: loiterS === "" ? null : Number(loiterS) };
}
