// Splits a text into plain and highlighted pieces. The API counts code points, JavaScript counts UTF-16 units.

import type { MarkAnswer } from "../../api/types";

export interface Piece {
  text: string;
  isFound: boolean;
}

/** Longer texts are cut, starting shortly before the first match. */
const MAX_SHOWN_LENGTH = 220;
const CONTEXT_LENGTH = 60;

export function highlightedPieces(text: string, marks: MarkAnswer[]): Piece[] {
  const letters = Array.from(text);
  const sorted = [...marks].sort((item, other) => item.start - other.start);
  const first = sorted[0]?.start ?? 0;
  const from = letters.length > MAX_SHOWN_LENGTH && first > CONTEXT_LENGTH ? first - CONTEXT_LENGTH : 0;
  const pieces: Piece[] = from > 0 ? [{ text: "…", isFound: false }] : [];
  let at = from;
  const add = (until: number, isFound: boolean) => {
    if (until <= at) return;
    pieces.push({ text: letters.slice(at, until).join(""), isFound });
    at = until;
  };
  for (const mark of sorted) {
    add(mark.start, false);
    add(mark.end, true);
  }
  add(letters.length, false);
  return pieces;
}
