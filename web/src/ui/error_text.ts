// The text of an error in the language of the page, where the page itself found the error.

import { ApiError } from "../api/client";
import type { useUiWords } from "./words";

export function errorText(error: unknown, words: ReturnType<typeof useUiWords>): string {
  if (error instanceof ApiError && error.code === "UNREACHABLE") return words.unreachable;
  return error instanceof Error ? error.message : String(error);
}
