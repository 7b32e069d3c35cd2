// The current user: parts of the page for operators are only offered to operators.

import { get } from "./client";
import type { MeAnswer } from "./types";
import { type Data, useData } from "./use_data";

export function useMe(): Data<MeAnswer> {
  return useData("me", (signal) => get<MeAnswer>("/api/me", { signal }));
}
