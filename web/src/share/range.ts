// The part of a stream that a link shows, in seconds of the player.

export interface Range {
  start: number;
  end: number;
}

/** Where playback has to go from `at`: null if it may stay. */
export function corrected(range: Range, at: number): number | null {
  const slack = 0.05; // Players report times that are off by a little.
  if (at < range.start - slack) return range.start;
  return at > range.end + slack ? range.end : null;
}

/** Null without both ends. */
export function rangeOf(start: string | undefined, end: string | undefined): Range | null {
  const range = { start: Number(start), end: Number(end) };
  return start !== undefined && end !== undefined && range.end > range.start ? range : null;
}

export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [hours, ...rest] = parts.map((part) => String(part).padStart(2, "0"));
  return hours === "00" ? rest.join(":") : [hours, ...rest].join(":");
}
