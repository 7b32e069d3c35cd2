import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { withTag } from "../src/pages/video/tags";
import { bodyOf, NO_CHOICES } from "../src/pages/video/take_away/clip_choices";
import { momentOf } from "../src/pages/video/take_away/targets";
import { clockTime, corrected, rangeOf } from "../src/share/range";

test("playback that leaves the shared range is brought back to its nearer end", () => {
  const range = { start: 1, end: 8 };
  equal(corrected(range, 0.2), 1);
  equal(corrected(range, 9), 8);
  equal(corrected(range, 4), null);
  equal(corrected(range, 0.98), null);
});

test("a range needs both ends in order", () => {
  deepEqual(rangeOf("1.5", "8"), { start: 1.5, end: 8 });
  equal(rangeOf("8", "1.5"), null);
  equal(rangeOf(undefined, "8"), null);
  equal(rangeOf("x", "8"), null);
});

test("times have hours only if there are some", () => {
  equal(clockTime(61.9), "01:01");
  equal(clockTime(3661), "01:01:01");
  equal(clockTime(-1), "00:00");
});

test("the moment to share is what is marked, or some seconds from now within the video", () => {
  deepEqual(momentOf({ start: 1000.4, end: 2000 }, 5000, 60_000), { start: 1000, end: 2000 });
  deepEqual(momentOf({ start: 1000, end: null }, 5000, 60_000), { start: 5000, end: 15_000 });
  deepEqual(momentOf({ start: null, end: null }, 59_900, 60_000), { start: 59_000, end: 60_000 });
});

test("what was not chosen for a clip is not sent", () => {
  deepEqual(bodyOf(NO_CHOICES), {});
  deepEqual(bodyOf({ name: " Intro ", captions: "soft", captionKind: "speech" }), {
    name: "Intro",
    captions: "soft",
    caption_kind: "speech",
  });
});

test("a tag is added once, however it is written", () => {
  deepEqual(withTag(["Lectures"], "  lectures "), ["Lectures"]);
  deepEqual(withTag(["Lectures"], "#autumn   2026"), ["Lectures", "autumn 2026"]);
  deepEqual(withTag([], " # "), []);
});
