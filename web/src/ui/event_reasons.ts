// Reasons of an event's score in the language of the page. The rules write them in English by a fixed pattern, which is read here:
// "Rules: person seen (+35); at night (02 h) (+20). Sum 55, score 55." What a model has written is shown as it is.

import { useLanguage } from "../core/language";
import { deedIn, usualIn } from "./event_summary";
import { useReasonWords } from "./reason_words";
import { useSummaryWords } from "./summary_words";

interface Words {
  reasons: ReturnType<typeof useReasonWords>;
  summary: ReturnType<typeof useSummaryWords>;
}

const PATTERN = /^Rules: (?<because>.+)\. Sum (?<sum>-?\d+), score (?<score>\d+)\.$/;
const POINTS = /^(?<text>.+) (?<points>\([+-]\d+\))$/;
const ELSEWHERE = /^(.+?) (?:at the same time|(\d+ (?:s|min)) (after|before))$/;

const REASONS: readonly [RegExp, (words: Words, ...found: string[]) => string][] = [
  [/^(\S+) seen$/, ({ reasons, summary }, kind = "") => reasons.seen(summary.kind(kind))],
  [/^(\d+) people at once$/, ({ reasons }, count = "") => reasons.people(count)],
  [/^at night \((\d+) h\)$/, ({ reasons }, hour = "") => reasons.night(hour)],
  [/^in the restricted zone (.+)$/, ({ reasons }, zone = "") => reasons.restricted(zone)],
  [/^at the entry (.+)$/, ({ reasons }, zone = "") => reasons.entry(zone)],
  [/^only in the public zone (.+)$/, ({ reasons }, zone = "") => reasons.publicOnly(zone)],
  [/^stayed for (\d+) s$/, ({ reasons }, seconds = "") => reasons.stayed(seconds)],
  [
    /^(.+) \(on (\d+) of (\d+) days\)$/,
    ({ reasons, summary }, usual = "", seen = "", of = "") =>
      `${usual.startsWith("rare") ? reasons.rare : usualIn(summary, usual)} (${reasons.daysSeen(seen, of)})`,
  ],
  [
    /^(\S+) also seen at (.+)$/,
    ({ reasons, summary }, kind = "", where = "") =>
      reasons.elsewhere(
        summary.kind(kind),
        where
          .split(", ")
          .map((item) => cameraIn(reasons, item))
          .join(", "),
      ),
  ],
  [/^no detection above ([\d.]+)$/, ({ reasons }, confidence = "") => reasons.unsure(confidence)],
];

function cameraIn(reasons: Words["reasons"], text: string): string {
  const [, camera = "", time, way] = ELSEWHERE.exec(text) ?? [];
  if (camera === "") return text;
  return time === undefined ? reasons.sameTime(camera) : reasons.apart(camera, time, way === "after");
}

export function reasonsIn(words: Words, reasoning: string): string {
  const found = PATTERN.exec(reasoning)?.groups;
  if (found === undefined) return reasoning;
  const because = (found.because ?? "").split("; ").map((item) => {
    const { text = item, points = "" } = POINTS.exec(item)?.groups ?? {};
    return `${reasonIn(words, text)} ${points}`.trim();
  });
  return `${words.reasons.rules}: ${because.join("; ")}. ${words.reasons.sum(found.sum ?? "", found.score ?? "")}`;
}

function reasonIn(words: Words, text: string): string {
  for (const [pattern, say] of REASONS) {
    const match = pattern.exec(text);
    if (match !== null) return say(words, ...match.slice(1));
  }
  return deedIn(words.summary, text);
}

/** The reasons of an event as its reader understands them. */
export function useEventReasons(): (reasoning: string) => string {
  const words = { reasons: useReasonWords(), summary: useSummaryWords() };
  const language = useLanguage();
  return (reasoning) => (language === "en" ? reasoning : reasonsIn(words, reasoning));
}
