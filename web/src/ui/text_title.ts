// The title of what is on screen together: what names a chapter of a video, or a moment.

import type { SegmentAnswer } from "../api/types";

const MIN_LETTERS = 3;
const SAME_SIZE = 1.2;

export type ShownText = Pick<SegmentAnswer, "text" | "unsure" | "bounding_box">;

/** The title of what is on screen: its largest text; of several the upper one, and of those beside each other the longest. */
export function titleOf<T extends ShownText>(texts: T[]): T | null {
  const lines = texts.filter((item) => lettersOf(item) >= MIN_LETTERS && !item.unsure);
  const tallest = Math.max(0, ...lines.map((item) => item.bounding_box.height));
  const large = lines.filter((item) => item.bounding_box.height >= tallest / SAME_SIZE);
  const top = Math.min(...large.map((item) => item.bounding_box.y));
  const first = large.filter((item) => item.bounding_box.y <= top + tallest / 2);
  return first.sort((a, b) => lettersOf(b) - lettersOf(a))[0] ?? null;
}

const lettersOf = (item: ShownText): number => item.text.replace(/[^\p{L}]/gu, "").length;
