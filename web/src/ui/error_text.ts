// Error texts in the language of the page, for errors found by the page itself.

import { ApiError } from "../api/client";
import type { useUiWords } from "./words";

export function errorText(error: unknown, words: ReturnType<typeof useUiWords>): string {
  if (error instanceof ApiError && error.code === "UNREACHABLE") return words.unreachable;
  return error instanceof Error ? error.message : String(error);
}
