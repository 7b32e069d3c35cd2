// A text in pieces, those that were found marked. The API counts code points, JavaScript counts halves of some of them.

import type { MarkAnswer } from "../../api/types";

export interface Piece {
  text: string;
  isFound: boolean;
}

/** Longer texts are shown from a little before the first mark on. */
const LONGEST = 220;
const BEFORE_MARK = 60;

export function piecesOf(text: string, marks: MarkAnswer[]): Piece[] {
  const letters = Array.from(text);
  const sorted = [...marks].sort((one, other) => one.start - other.start);
  const first = sorted[0]?.start ?? 0;
  const from = letters.length > LONGEST && first > BEFORE_MARK ? first - BEFORE_MARK : 0;
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
