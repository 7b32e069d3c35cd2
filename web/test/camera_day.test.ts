import "./browser";
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { playerPosition, wallTime } from "../src/pages/cameras/recording_clock";
import {
  dayBeside,
  dayOf,
  HOUR_MS,
  joinSpans,
  nearestTo,
  recordedTime,
  shareOf,
  ticksOf,
  timeAt,
  viewAround,
} from "../src/pages/cameras/timeline";
import { spanToLoad } from "../src/pages/cameras/watching";

const NOON = new Date(2026, 10, 18, 12).getTime();
const DAY = dayOf(NOON);

test("a day begins at midnight of the browser's clock, and ends where the next begins", () => {
  equal(new Date(DAY.from).getHours(), 0);
  deepEqual(dayBeside(DAY, 1), dayOf(DAY.to));
  equal(dayBeside(DAY, -1).to, DAY.from);
});

test("places on the timeline and times belong to each other", () => {
  equal(shareOf(DAY, NOON), 0.5);
  equal(timeAt(DAY, 0.5), NOON);
  equal(timeAt(DAY, 7), DAY.to);
});

test("a part of the day stays within the day", () => {
  deepEqual(viewAround(DAY, NOON, HOUR_MS), { from: NOON - HOUR_MS / 2, to: NOON + HOUR_MS / 2 });
  equal(viewAround(DAY, DAY.from, HOUR_MS).from, DAY.from);
  equal(viewAround(DAY, DAY.to, HOUR_MS).to, DAY.to);
  deepEqual(viewAround(DAY, NOON, 48 * HOUR_MS), DAY);
});

test("segments that follow each other are one recording", () => {
  const spans = [
    { from: 4000, to: 8100 },
    { from: 0, to: 4000 },
    { from: 20_000, to: 24_000 },
  ];
  deepEqual(joinSpans(spans, 1000), [
    { from: 0, to: 8100 },
    { from: 20_000, to: 24_000 },
  ]);
});

test("in a gap the next recording is played, or the one before when going back", () => {
  const recorded = [
    { from: 0, to: 10_000 },
    { from: 20_000, to: 30_000 },
  ];
  equal(recordedTime(recorded, 5000), 5000);
  equal(recordedTime(recorded, 15_000), 20_000);
  equal(recordedTime(recorded, 15_000, -1), 8000);
  equal(recordedTime(recorded, 30_000), null);
  equal(recordedTime(recorded, -1, -1), null);
});

test("hours are labelled as densely as there is room", () => {
  const hours = ticksOf(DAY, 9).map((tick) => new Date(tick).getHours());
  deepEqual(hours, [0, 3, 6, 9, 12, 15, 18, 21]);
  const minutes = ticksOf(viewAround(DAY, NOON, HOUR_MS), 9).map((tick) => new Date(tick).getMinutes());
  deepEqual(minutes, [30, 40, 50, 0, 10, 20]);
});

test("the event under the pointer is the nearest within reach", () => {
  const events = [1000, 5000].map((ms) => ({ started_at: new Date(ms).toISOString() }));
  equal(nearestTo(events, 4000, 2000), events[1]);
  equal(nearestTo(events, 9000, 2000), null);
});

test("a jump within what is loaded loads nothing new", () => {
  const loaded = spanToLoad(NOON, null);
  equal(spanToLoad(NOON + 60_000, loaded), loaded);
  equal(spanToLoad(NOON + 2 * HOUR_MS, loaded) === loaded, false);
});

const SEGMENTS = [
  { start: 0, duration: 4, programDateTime: 1_000_000 },
  { start: 4, duration: 4, programDateTime: 1_060_000 },
];

test("the player's clock and the one on the wall differ by the gaps of the recording", () => {
  equal(wallTime(SEGMENTS, 1), 1_001_000);
  equal(wallTime(SEGMENTS, 5), 1_061_000);
  equal(wallTime([], 5), null);
  equal(playerPosition(SEGMENTS, 1_061_000), 5);
  equal(playerPosition(SEGMENTS, 1_030_000), 4);
  equal(playerPosition(SEGMENTS, 2_000_000), null);
});
