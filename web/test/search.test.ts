import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { highlightedPieces } from "../src/pages/search/highlight";
import { type FoundHit, groupedRows } from "../src/pages/search/result_rows";
import { lastStartedIndex, plain, visibleAt } from "../src/pages/video/segments";

const shown = (text: string, marks: { start: number; end: number }[]) =>
  highlightedPieces(text, marks)
    .map((piece) => (piece.isFound ? `[${piece.text}]` : piece.text))
    .join("");

test("matches are highlighted in order", () => {
  equal(
    shown("Invoice total", [
      { start: 8, end: 13 },
      { start: 0, end: 7 },
    ]),
    "[Invoice] [total]",
  );
});

test("positions count code points, not UTF-16 units", () => {
  equal(shown("🎉🎉 party", [{ start: 3, end: 8 }]), "🎉🎉 [party]");
});

test("a long text starts shortly before its first match", () => {
  const text = `${"x".repeat(300)}match`;
  const result = shown(text, [{ start: 300, end: 305 }]);
  equal(result, `…${"x".repeat(60)}[match]`);
});

const hit = (segment_id: string, video_id: string, t_start: number, page = 1, match = "words") =>
  ({
    segment_id,
    video_id,
    video_name: `${video_id}.mp4`,
    t_start,
    page,
    match,
    matched: match === "meaning" ? "meaning" : "words",
  }) as unknown as FoundHit;

const keys = (hits: FoundHit[]) =>
  groupedRows(hits).map((row) =>
    row.kind === "video" ? `${row.name} (${row.count})` : row.kind === "hit" ? row.hit.segment_id : "similar",
  );

test("results are grouped by video and ordered by time, possible misreadings last", () => {
  const hits = [hit("c", "a", 30), hit("x", "b", 5), hit("m", "a", 1, 1, "slip"), hit("a", "a", 10)];
  deepEqual(keys(hits), ["a.mp4 (3)", "a", "c", "m", "b.mp4 (1)", "x"]);
});

test("what is similar in meaning is below all that has the words, in its own order, under one heading", () => {
  const hits = [hit("a", "v", 10), hit("s", "v", 1, 1, "meaning"), hit("b", "w", 10), hit("r", "v", 0, 1, "meaning")];
  const rows = keys([...hits, hit("t", "w", 3, 2, "meaning")]);
  deepEqual(rows, ["v.mp4 (1)", "a", "w.mp4 (1)", "b", "similar", "s", "r", "t"]);
  equal(new Set(groupedRows(hits).map((row) => row.key)).size, groupedRows(hits).length);
});

test("a misreading after what is similar in meaning has the heading of its video again", () => {
  const rows = keys([hit("a", "v", 10), hit("s", "v", 1, 1, "meaning"), hit("m", "v", 4, 2, "slip")]);
  deepEqual(rows, ["v.mp4 (1)", "a", "similar", "s", "v.mp4 (1)", "m"]);
});

test("a later page is only appended", () => {
  const first = [hit("a", "v", 10), hit("b", "w", 10)];
  const before = keys(first);
  const after = keys([...first, hit("c", "v", 1, 2)]);
  deepEqual(after.slice(0, before.length), before);
  deepEqual(after.slice(before.length), ["v.mp4 (1)", "c"]);
});

const segment = (t_start: number, t_end: number, kind = "text") =>
  ({ t_start, t_end, kind }) as Parameters<typeof visibleAt>[0][number];

test("texts are found by time", () => {
  const all = [segment(0, 10), segment(5, 20), segment(20, 30)];
  deepEqual(visibleAt(all, 7), [all[0], all[1]]);
  deepEqual(visibleAt(all, 20), [all[2]]);
  deepEqual(visibleAt([segment(0, 10, "speech")], 5), []);
  equal(lastStartedIndex(all, 19), 1);
  equal(lastStartedIndex([segment(5, 6)], 1), -1);
});

test("case and accents do not matter in comparisons", () => {
  equal(plain("Ação É"), "acao e");
});
