// Formatting of numbers, sizes, durations and times in the reader's form of the language of the page.

import { locale } from "./locale";

/** 83.5 s is 1:23; with `exact`, 1:23.500. */
export function clock(ms: number, { exact = false } = {}): string {
  const whole = Math.max(0, exact ? Math.round(ms) : Math.floor(ms / 1000) * 1000);
  const seconds = Math.floor(whole / 1000);
  const h = Math.floor(seconds / 3600);
  const m = Math.floor((seconds % 3600) / 60);
  const s = String(seconds % 60).padStart(2, "0");
  const head = h > 0 ? `${h}:${String(m).padStart(2, "0")}:${s}` : `${m}:${s}`;
  return exact ? `${head}.${String(whole % 1000).padStart(3, "0")}` : head;
}

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

export function bytes(count: number): string {
  const step = count < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3));
  const value = count / 1000 ** step;
  const digits = step === 0 || value >= 100 ? 0 : 1;
  return `${value.toLocaleString(locale(), { maximumFractionDigits: digits })} ${UNITS[step]}`;
}

export const number = (value: number, digits = 0): string =>
  value.toLocaleString(locale(), { maximumFractionDigits: digits });

export const percent = (share: number): string =>
  share.toLocaleString(locale(), { style: "percent", maximumFractionDigits: 0 });

/** A duration: 4 s, 3 min 20 s, 2 h 5 min. */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return twoUnits(Math.floor(s / 60), "min", s % 60, "s");
  if (s < 86_400) return twoUnits(Math.floor(s / 3600), "h", Math.floor((s % 3600) / 60), "min");
  return twoUnits(Math.floor(s / 86_400), "d", Math.floor((s % 86_400) / 3600), "h");
}

const twoUnits = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;

/** A moment on the reader's own clock, with its zone: "Nov 18, 2026, 4:05:09 PM GMT-3". */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "long" });
}

/** 16:05, or 4:05 PM where clocks say so; on the reader's own clock. */
export function timeOfDay(iso: string): string {
  return new Date(iso).toLocaleTimeString(locale(), { hour: "numeric", minute: "2-digit" });
}

/** The reader's time zone as clocks name it: "GMT-3", "CET". */
export function zoneName(at: Date = new Date()): string {
  const parts = new Intl.DateTimeFormat(locale(), { timeZoneName: "short" }).formatToParts(at);
  return parts.find((part) => part.type === "timeZoneName")?.value ?? "";
}

export function day(iso: string): string {
  return new Date(iso).toLocaleDateString(locale(), { dateStyle: "medium" });
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 30],
  ["month", 12],
  ["year", Number.POSITIVE_INFINITY],
];

/** "2 hours ago", "in 5 minutes". */
export function relative(iso: string, now: number = Date.now()): string {
  let value = (new Date(iso).getTime() - now) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(value) < size) {
      return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(Math.round(value), unit);
    }
    value /= size;
  }
  return moment(iso);
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** 2026-11-18 on the reader's own clock, as inputs of dates have it. */
export function localInputDay(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** 2026-11-18T14:05:09 on the reader's own clock, as inputs of moments have it. */
export function localInputTime(ms: number): string {
  const date = new Date(ms);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
  return `${localInputDay(ms)}T${time}`;
}
