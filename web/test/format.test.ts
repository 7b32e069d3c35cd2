import "./browser";
import { equal, match } from "node:assert/strict";
import { test } from "node:test";
import { bytes, clock, duration, moment, number, percent, relative, timeOfDay } from "../src/core/format";
import { pluralize } from "../src/core/language";

test("a clock shows minutes and seconds, and hours from one hour on", () => {
  equal(clock(83_500), "1:23");
  equal(clock(3_600_000), "1:00:00");
  equal(clock(-5), "0:00");
});

test("an exact clock shows milliseconds", () => {
  equal(clock(83_500, { exact: true }), "1:23.500");
  equal(clock(59_999.6, { exact: true }), "1:00.000");
});

test("sizes have a unit and at most one decimal", () => {
  equal(bytes(999), "999 B");
  equal(bytes(1500), "1.5 kB");
  equal(bytes(123_456_789), "123 MB");
});

test("durations name their two largest units", () => {
  equal(duration(0.25), "250 ms");
  equal(duration(59), "59 s");
  equal(duration(60), "1 min");
  equal(duration(200), "3 min 20 s");
  equal(duration(7500), "2 h 5 min");
  equal(duration(7200), "2 h");
  equal(duration(90_000), "1 d 1 h");
  equal(duration(345_600), "4 d");
});

test("times are relative to now in the language of the page", () => {
  const now = Date.parse("2027-01-01T12:00:00Z");
  equal(relative("2027-01-01T10:00:00Z", now), "2 hours ago");
  equal(relative("2027-01-01T12:05:00Z", now), "in 5 minutes");
  document.documentElement.lang = "pt-BR";
  equal(relative("2027-01-01T10:00:00Z", now), "há 2 horas");
  document.documentElement.lang = "en";
});

test("dates, clocks and numbers have the form of the reader's country", () => {
  const at = "2027-01-05T16:05:09Z";
  const formsIn = (page: string, ...languages: string[]) => {
    document.documentElement.lang = page;
    Object.assign(navigator, { languages });
    return [timeOfDay(at), moment(at), number(1234.5, 1)];
  };
  const [american = "", british = "", german = "", swiss = ""] = [
    formsIn("en", "en-US"),
    formsIn("en", "de-DE", "en-GB", "en-US"),
    formsIn("de", "en-GB"),
    formsIn("de", "de@posix", "de-CH"),
  ].map((forms) => forms.join(" | "));
  match(american, /\d:05.PM \| Jan \d, 2027, \d+:05:09.PM .* \| 1,234\.5$/);
  match(british, /^\d+:05 \| \d Jan 2027, \d+:05:09 .* \| 1,234\.5$/);
  match(german, /^\d+:05 \| 0\d\.01\.2027, \d+:05:09 .* \| 1\.234,5$/);
  match(swiss, /1['’]234\.5$/);
  formsIn("en", "en-US");
});

test("percentages and counts are formatted with their nouns", () => {
  equal(percent(0.954), "95%");
  equal(pluralize(1, "job", "jobs"), "1 job");
  equal(pluralize(1200, "job", "jobs"), "1,200 jobs");
});
