import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { SegmentAnswer } from "../src/api/types";
import { dayAfter } from "../src/pages/events/day_marks";
import { chapterAt, chaptersOf } from "../src/pages/video/watch/chapters";
import { nextRate, qualitiesOf } from "../src/pages/video/watch/playback";
import { titleOf } from "../src/ui/text_title";

const text = (words: string, t_start: number, t_end: number, box: { y: number; height: number }, more = {}) =>
  ({
    text: words,
    kind: "text",
    t_start,
    t_end,
    unsure: false,
    bounding_box: { x: 0, width: 100, ...box },
    ...more,
  }) as SegmentAnswer;

const TITLE = { y: 10, height: 40 };
const LINE = { y: 80, height: 20 };

test("the title of a slide is its largest text, the upper of two, the longer of those in a line", () => {
  const line = text("a longer line of the slide", 0, 1, LINE);
  equal(titleOf([line, text("Harbours", 0, 1, TITLE)])?.text, "Harbours");
  equal(titleOf([text("Below", 0, 1, { y: 300, height: 42 }), text("Above", 0, 1, TITLE)])?.text, "Above");
  equal(
    titleOf([text("Boats: 5", 0, 1, { y: 9, height: 40 }), text("Live from here", 0, 1, TITLE)])?.text,
    "Live from here",
  );
  equal(titleOf([text("12:30", 0, 1, TITLE), line])?.text, line.text);
  equal(titleOf([text("Misread", 0, 1, TITLE, { unsure: true }), line])?.text, line.text);
  equal(titleOf([text("7", 0, 1, TITLE)]), null);
});

test("each slide is a chapter from where its title appears", () => {
  const segments = [
    text("Welcome", 200, 5000, TITLE),
    text("Prices", 5000, 9000, TITLE),
    text("of the year", 6000, 9000, LINE),
    text("Questions", 12_000, 15_000, TITLE),
  ];
  const frames = [12_500, 1000, 8000, 10_000, 5500].map((timestamp_ms) => ({ timestamp_ms }));
  const chapters = chaptersOf(frames, segments);
  deepEqual(chapters, [
    { startMs: 0, title: "Welcome" },
    { startMs: 5000, title: "Prices" },
    { startMs: 12_000, title: "Questions" },
  ]);
  deepEqual(
    [0, 4999, 5000, 20_000].map((ms) => chapterAt(chapters, ms)),
    [0, 0, 1, 2],
  );
});

test("a title that stays, a slide that follows at once and speech make no chapters", () => {
  const frames = [1000, 3000, 6000].map((timestamp_ms) => ({ timestamp_ms }));
  deepEqual(chaptersOf(frames, [text("The same", 0, 9000, TITLE)]), []);
  const short = [
    text("First one", 0, 1900, TITLE),
    text("Second one", 1900, 3500, TITLE),
    text("Third one", 3900, 9000, TITLE),
  ];
  deepEqual(
    chaptersOf(frames, short).map((item) => item.title),
    ["First one", "Third one"],
  );
  deepEqual(chaptersOf(frames, [text("said", 0, 9000, TITLE, { kind: "speech" })]), []);
});

test("the original can be chosen where it shows more than the stream", () => {
  deepEqual(qualitiesOf({ height: 1080 }, 720, true), ["stream", "original"]);
  deepEqual(qualitiesOf({ height: 720 }, 720, true), ["stream"]);
  deepEqual(qualitiesOf({ height: 1080 }, 720, false), ["stream"]);
  deepEqual(qualitiesOf({ height: null }, 0, true), ["stream"]);
});

test("the speed goes up and down in steps, and not beyond", () => {
  deepEqual([nextRate(1, 1), nextRate(1, -1), nextRate(4, 1), nextRate(0.25, -1)], [1.25, 0.75, 4, 0.25]);
});

test("days follow one another over the ends of months", () => {
  equal(dayAfter("2026-02-28", 1), "2026-03-01");
  equal(dayAfter("2026-03-01", -1), "2026-02-28");
});
