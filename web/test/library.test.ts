import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import type { PipelineStepAnswer, SpriteSheetAnswer } from "../src/api/types";
import { Store } from "../src/core/store";
import { tagsOf } from "../src/pages/videos/edit_dialog";
import { isNarrowed, readFilter } from "../src/pages/videos/library_filter";
import { processedShare } from "../src/pages/videos/video_card";
import { columnsOf, rowsOf } from "../src/ui/card_grid";
import { placeOf, tileAt } from "../src/ui/sprite_tile";
import { totalOf } from "../src/upload/total_progress";
import type { Phase, Progress } from "../src/upload/upload";

const sheet: SpriteSheetAnswer = {
  intervalMs: 1000,
  tiles: 15,
  columns: 10,
  tileWidth: 192,
  tileHeight: 108,
  version: "v",
};

test("the picture of a time is the last one before it", () => {
  deepEqual(
    [-5, 0, 999, 1000, 14_999, 90_000].map((ms) => tileAt(sheet, ms)),
    [0, 0, 0, 1, 14, 14],
  );
});

test("a picture is cut from the sheet by its row and column", () => {
  deepEqual(placeOf(sheet, 0), { size: "1000% 200%", position: "0% 0%" });
  deepEqual(placeOf(sheet, 9), { size: "1000% 200%", position: "100% 0%" });
  deepEqual(placeOf(sheet, 10), { size: "1000% 200%", position: "0% 100%" });
  deepEqual(placeOf({ ...sheet, tiles: 1, columns: 1 }, 0), { size: "100% 100%", position: "0% 0%" });
});

test("as many cards stand beside each other as fit, at least one", () => {
  deepEqual(
    [100, 250, 516, 1250].map((width) => columnsOf(width, 250)),
    [1, 1, 2, 4],
  );
  deepEqual(rowsOf([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]);
});

const upload = (size: number, sentBytes: number, phase: Phase) => ({
  file: { size } as File,
  isActive: !["done", "failed", "paused", "cancelled"].includes(phase),
  progress: new Store({ sentBytes, phase } as Progress),
});

test("the total of uploads counts bytes of those that run and that are done", () => {
  equal(totalOf([]), null);
  equal(totalOf([upload(100, 100, "done"), upload(50, 10, "failed")]), null);
  deepEqual(totalOf([upload(100, 100, "done"), upload(300, 0, "sending"), upload(50, 10, "failed")]), {
    active: 1,
    share: 0.25,
  });
  deepEqual(totalOf([upload(0, 0, "starting")]), { active: 1, share: 0 });
});

test("the filter of the library is read from the address, and what is unknown there is the default", () => {
  const read = (query: string) => readFilter(new URLSearchParams(query));
  deepEqual(read(""), { status: "all", sort: "newest", q: "", tag: "", collection: "", team: "" });
  deepEqual(read("status=ready&sort=name&q=talk&tag=a&collection=c"), {
    status: "ready",
    sort: "name",
    q: "talk",
    tag: "a",
    collection: "c",
    team: "",
  });
  equal(read("status=wild").status, "all");
  equal(read("sort=wild").sort, "newest");
  equal(isNarrowed(read("sort=name&collection=c")), false);
  equal(isNarrowed(read("tag=a")), true);
});

test("tags are separated by commas", () => {
  deepEqual(tagsOf(" talks, 2026 ,, two words,"), ["talks", "2026", "two words"]);
  deepEqual(tagsOf(" , "), []);
});

test("processing is as far as its steps are", () => {
  const steps = [
    { status: "done", progress: 0 },
    { status: "processing", progress: 0.5 },
    { status: "waiting", progress: 0 },
    { status: "waiting", progress: 0 },
  ] as PipelineStepAnswer[];
  equal(processedShare("SPLITTING", steps), 0.375);
  equal(processedShare("COMPLETED", steps), null);
  equal(processedShare("SPLITTING", undefined), null);
});
