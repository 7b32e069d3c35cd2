// Error texts in the language of the page. The API speaks English: where its code or the kind of a problem says enough, the page says it
// in the reader's language. What only the API's own sentence says stays behind it, in English.

import { ApiError } from "../api/client";
import { bytes, day, number } from "../core/format";
import { type Language, useLanguage } from "../core/language";
import { useErrorWords } from "./error_words";
import { useUiWords } from "./words";

type UiWords = ReturnType<typeof useUiWords>;
type ErrorWords = ReturnType<typeof useErrorWords>;

export interface ErrorText {
  text: string;
  /** The API's own sentence, in English, for readers of another language. */
  english?: string;
}

/** What is wrong with one field, as the API reports it. `kind` and `limit` are missing where only the message says it. */
export interface FieldProblem {
  field: string;
  message: string;
  kind?: string;
  limit?: string;
}

export interface ErrorTexts {
  textOf: (error: unknown) => ErrorText;
  /** The same in one line. */
  lineOf: (error: unknown) => string;
  problemOf: (problem: FieldProblem) => string;
}

export function useErrorTexts(): ErrorTexts {
  const language = useLanguage();
  return errorTexts(language, useUiWords(), useErrorWords());
}

export function errorTexts(language: Language, ui: UiWords, words: ErrorWords): ErrorTexts {
  const problemOf = (problem: FieldProblem) =>
    (language === "en" ? undefined : problemText(problem, words)) ?? problem.message;
  const textOf = (error: unknown): ErrorText => {
    if (!(error instanceof ApiError)) return { text: error instanceof Error ? error.message : String(error) };
    const exact = figuresText(error, ui);
    if (exact !== null) return { text: exact };
    if (language === "en") return { text: error.message };
    const text = codeText(error.code, words);
    if (text === undefined) return { text: error.message };
    return isSaidBy(error.code) ? { text } : { text, english: error.message };
  };
  const lineOf = (error: unknown) => {
    const { text, english } = textOf(error);
    return english === undefined ? text : `${text} ${words.inEnglish} ${english}`;
  };
  return { textOf, lineOf, problemOf };
}

/** Texts with figures to format, and errors found by the page itself. */
function figuresText({ code, details }: ApiError, words: UiWords): string | null {
  const figure = (name: string) => Number(details[name] ?? 0);
  switch (code) {
    case "UNREACHABLE":
      return words.unreachable;
    case "INSUFFICIENT_STORAGE":
      if (!("freeBytes" in details)) return null;
      return figure("neededBytes") > 0
        ? words.noSpace(bytes(figure("neededBytes")), bytes(figure("freeBytes")))
        : words.diskFull;
    case "QUOTA_EXCEEDED":
      if (details.quota === "quota_bytes")
        return words.quotaBytes(bytes(figure("used")), bytes(figure("limit")), bytes(figure("needed")));
      if (details.quota === "quota_videos") return words.quotaVideos(number(figure("limit")));
      if (details.quota === "quota_minutes_per_month")
        return words.quotaMinutes(number(figure("limit")), day(String(details.resets_at)));
      if (details.quota === "quota_open_uploads") return words.quotaUploads(number(figure("limit")));
      return null;
    case "ORIGINAL_REMOVED":
      return words.originalRemoved(day(String(details.removedAt)));
    case "FRAMES_REMOVED":
      return words.framesRemoved(day(String(details.removedAt)));
    default:
      return null;
  }
}

const OF_TEAMS = [
  "NEEDS_SIGN_IN",
  "LAST_OWNER",
  "TEAM_HAS_VIDEOS",
  "TEAM_FULL",
  "TOO_MANY_TEAMS",
  "TOO_MANY_INVITATIONS",
  "INVITATION_NOT_FOUND",
  "PINNED_BY_ISSUER",
  "LAST_OPERATOR",
] as const;

const SENTENCES = [
  "NOT_FOUND",
  "GONE",
  "CONFLICT",
  "FORBIDDEN",
  "UNAUTHORIZED",
  "VALIDATION_ERROR",
  "PAYLOAD_TOO_LARGE",
  "RESULT_TOO_LARGE",
  "RATE_LIMIT_EXCEEDED",
  "QUOTA_EXCEEDED",
  "INSUFFICIENT_STORAGE",
  "SERVICE_UNAVAILABLE",
  "INTERNAL_SERVER_ERROR",
  "CAMERA_UNREADABLE",
  "UNKNOWN_LANGUAGE",
  "LIVE_NOT_READY",
  "NO_MOMENTS",
  ...OF_TEAMS,
] as const satisfies readonly (keyof ErrorWords)[];

/** Things by what stands before `_NOT_FOUND` in their code. */
const THINGS = {
  TEAM: "team",
  MEMBER: "member",
  PERSON: "person",
  VIDEO: "video",
  UPLOAD: "upload",
  CLIP: "clip",
  SHARE: "share",
  RECORDING: "recording",
  MESSAGE: "message",
  MARK: "mark",
  EVENT: "event",
  CAMERA: "camera",
  ANALYSIS: "analysis",
  ZONE: "zone",
  STREAM: "stream",
  SPRITE_SHEET: "picture",
  SCHEDULE: "schedule",
  SAVED_SEARCH: "savedSearch",
  RUN: "run",
  QUEUE: "queue",
  PICTURE: "picture",
  MOTION: "recording",
  MAIL: "mail",
  JOB: "job",
  COMMENT: "comment",
  COLLECTION: "collection",
  BATCH: "batch",
  ALERT_RULE: "alertRule",
  ALERT: "alert",
} as const satisfies Record<string, keyof ErrorWords>;

function codeText(code: string, words: ErrorWords): string | undefined {
  const thing = thingOf(code);
  if (thing !== undefined) return words.missing(words[THINGS[thing]]);
  const known = SENTENCES.find((item) => item === code);
  return known === undefined ? undefined : words[known];
}

function thingOf(code: string): keyof typeof THINGS | undefined {
  const thing = code.endsWith("_NOT_FOUND") ? code.slice(0, -"_NOT_FOUND".length) : "";
  return thing in THINGS ? (thing as keyof typeof THINGS) : undefined;
}

/** Whether the code says all that the API's sentence says. */
function isSaidBy(code: string): boolean {
  return (
    thingOf(code) !== undefined ||
    ["UNAUTHORIZED", "RATE_LIMIT_EXCEEDED", "INTERNAL_SERVER_ERROR", "NO_MOMENTS", ...OF_TEAMS].includes(code)
  );
}

function problemText({ kind = "", limit = "" }: FieldProblem, words: ErrorWords): string | undefined {
  switch (kind) {
    case "missing":
      return words.required;
    case "greater_than_equal":
      return words.atLeast(limit);
    case "greater_than":
      return words.moreThan(limit);
    case "less_than_equal":
      return words.atMost(limit);
    case "less_than":
      return words.lessThan(limit);
    case "string_too_short":
      return limit === "1" ? words.required : words.longer(limit);
    case "string_too_long":
      return words.shorter(limit);
    case "too_short":
      return words.moreItems(limit);
    case "too_long":
      return words.fewerItems(limit);
    case "float_parsing":
    case "float_type":
      return words.number;
    case "int_parsing":
    case "int_type":
    case "int_from_float":
      return words.wholeNumber;
    case "enum":
    case "literal_error":
      return words.choice(limit);
    case "string_pattern_mismatch":
      return words.pattern;
    case "datetime_parsing":
    case "datetime_from_date_parsing":
    case "timezone_aware":
      return words.time;
    case "extra_forbidden":
      return words.unknownField;
    default:
      return undefined;
  }
}
