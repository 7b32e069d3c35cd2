import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { HitAnswer } from "../src/api/types";
import { forgetSearches, recentSearches, rememberSearch } from "../src/core/recent_searches";
import { highlightedPieces } from "../src/pages/search/highlight";
import { momentsOf, type Row, withSimilar } from "../src/pages/search/result_rows";
import { asWritten, type SearchQuery } from "../src/pages/search/search_query";
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

const hit = (segment_id: string) => ({ segment_id }) as unknown as HitAnswer;

test("every result knows the row that shows it", () => {
  const rows = [
    { kind: "group", key: "v", group: { hits: [hit("a"), hit("b")] } },
    { kind: "hit", key: "c", hit: hit("c") },
  ] as unknown as Row[];
  deepEqual(
    momentsOf(rows).map((moment) => [moment.hit.segment_id, moment.row]),
    [
      ["a", 0],
      ["b", 0],
      ["c", 1],
    ],
  );
});

test("what is similar in meaning follows all other results under one heading", () => {
  const rows: Row[] = [{ kind: "hit", key: "a", hit: hit("a") }];
  deepEqual(withSimilar(rows, []), rows);
  const all = withSimilar(rows, [hit("s"), hit("a")]);
  deepEqual(
    all.map((row) => row.kind),
    ["hit", "similar", "hit", "hit"],
  );
  equal(new Set(all.map((row) => row.key)).size, all.length);
  deepEqual(
    momentsOf(all).map((moment) => [moment.hit.segment_id, moment.row]),
    [
      ["a", 0],
      ["s", 2],
      ["a", 3],
    ],
  );
});

const query = (facets: Partial<SearchQuery["facets"]> = {}, others: Partial<SearchQuery> = {}): SearchQuery => ({
  q: "invoice",
  kind: "",
  isExact: false,
  sort: "best",
  facets: { kind: "", tag: "", video: "", month: "", language: "", ...facets },
  like: "",
  ...others,
});

test("what is chosen beside the box can be written in it", () => {
  equal(asWritten(query()), "invoice");
  equal(
    asWritten(query({ kind: "speech", tag: "two words", video: "1-2", month: "2026-12" }, { kind: "number" })),
    'invoice kind:number kind:speech tag:"two words" in:1-2 after:2026-12 before:2027-01',
  );
  equal(asWritten(query({ tag: "work" }, { q: "" })), "tag:work");
});

test("recent searches are kept per user, the newest first, without the steps on the way to them", () => {
  for (const q of ["old", "inv", "invoi", "invoice ", "old"]) rememberSearch("ann", q);
  deepEqual(recentSearches("ann"), ["old", "invoice"]);
  deepEqual(recentSearches("ben"), []);
  forgetSearches("ann");
  deepEqual(recentSearches("ann"), []);
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
  equal(lastStartedIndex([segment(100, 500), segment(0, 500), segment(900, 999)], 50), 1); // in reading order
});

test("case and accents do not matter in comparisons", () => {
  equal(plain("Ação É"), "acao e");
});
