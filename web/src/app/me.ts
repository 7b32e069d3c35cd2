// Who is asking, as the server sees it: what is for operators is only offered to them.

import { get } from "../api/client";
import type { MeAnswer } from "../api/types";
import { type Data, useData } from "./data";

export function useMe(): Data<MeAnswer> {
  return useData("me", (signal) => get<MeAnswer>("/api/me", { signal }));
}
