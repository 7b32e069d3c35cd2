// Summaries of events in the language of the page. The rules write them in English by a fixed pattern, which is read here:
// "2 person, 1 car at Front Door, Porch, 02:14: crossed the line Gate, moving left; seen once in 14 days at this hour".
// What a model has written is shown as it is.

import { timeOfDay } from "../core/format";
import { useSummaryWords } from "./summary_words";

type SummaryWords = ReturnType<typeof useSummaryWords>;

const PATTERN =
  /^(?<seen>nothing|\d+ [^,]+?(?:, \d+ [^,]+?)*) at (?<where>.+), (?<clock>\d\d:\d\d)(?<more>(?:: .+?)?)(?<usual>(?:; .+)?)$/;

const DEEDS: readonly [RegExp, (words: SummaryWords, ...found: string[]) => string][] = [
  [/^entered (.+)$/, (words, zone = "") => words.entered(zone === "a zone" ? null : zone)],
  [/^left behind(?: in (.+))?$/, (words, zone) => words.leftBehind(zone ?? null)],
  [/^left (.+)$/, (words, zone = "") => words.left(zone === "a zone" ? null : zone)],
  [
    /^crossed the line ?(.*?)(?: \((.+)\))?$/,
    (words, line = "", way) => words.crossed(line, way === undefined ? null : words.way(way)),
  ],
  [
    /^loitered(?: in (.+?))?(?: for (\d+) s)?$/,
    (words, zone, seconds) => words.loitered(zone ?? null, seconds ?? null),
  ],
  [/^taken away(?: from (.+))?$/, (words, zone) => words.removed(zone ?? null)],
  [/^moving (.+)$/, (words, way = "") => words.moving(words.way(way))],
];

/** `clock` is the time at which it was seen, on the reader's clock; the summary itself has it on that of the camera. */
export function summaryIn(words: SummaryWords, summary: string, clock?: string): string {
  const found = PATTERN.exec(summary)?.groups;
  if (found === undefined || found.seen === undefined || found.where === undefined) return summary;
  const seen = found.seen === "nothing" ? words.nothing : found.seen.split(", ").map(counted).join(", ");
  const deeds = (found.more ?? "").slice(2);
  const did =
    deeds === ""
      ? ""
      : `: ${deeds
          .split(", ")
          .map((text) => deedIn(words, text))
          .join(", ")}`;
  const usual = (found.usual ?? "").slice(2);
  return `${words.at(seen, found.where)}, ${clock ?? found.clock}${did}${usual === "" ? "" : `; ${usualIn(words, usual)}`}`;

  function counted(text: string): string {
    const [count = "", ...kind] = text.split(" ");
    return words.counted(Number(count), kind.join(" "));
  }
}

/** What an object did, such as "crossed the line Gate (left to right)"; anything else as it is. */
export function deedIn(words: SummaryWords, text: string): string {
  for (const [pattern, say] of DEEDS) {
    const match = pattern.exec(text);
    if (match !== null) return say(words, ...match.slice(1));
  }
  return text;
}

/** How usual it is here at this hour. */
export function usualIn(words: SummaryWords, text: string): string {
  if (text.startsWith("usual")) return words.usual(null, 0);
  if (text.startsWith("never")) return words.usual("", 0);
  const [, times, days] = /^seen (once|\d+ times) in (\d+) days/.exec(text) ?? [];
  return days === undefined ? text : words.usual(days, times === "once" ? 1 : Number.parseInt(times ?? "0", 10));
}

/** The summary of an event as its reader understands it. */
export function useEventSummary(): (event: { summary: string; started_at: string; assessor?: string }) => string {
  const words = useSummaryWords();
  return (event) =>
    event.assessor === "model" ? event.summary : summaryIn(words, event.summary, timeOfDay(event.started_at));
}
