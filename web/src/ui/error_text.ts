// Error texts in the language of the page, for errors found by the page itself and for those with figures to format.

import { ApiError } from "../api/client";
import { bytes, day, number } from "../core/format";
import type { useUiWords } from "./words";

type UiWords = ReturnType<typeof useUiWords>;

export function errorText(error: unknown, words: UiWords): string {
  if (error instanceof ApiError) return apiErrorText(error, words) ?? error.message;
  return error instanceof Error ? error.message : String(error);
}

function apiErrorText({ code, details }: ApiError, words: UiWords): string | null {
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
      return words.quotaUploads(number(figure("limit")));
    case "ORIGINAL_REMOVED":
      return words.originalRemoved(day(String(details.removedAt)));
    case "FRAMES_REMOVED":
      return words.framesRemoved(day(String(details.removedAt)));
    default:
      return null;
  }
}
