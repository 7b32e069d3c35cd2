// The current user: parts of the page for operators are only offered to operators.

import { Store, useStore } from "../core/store";
import { get } from "./client";
import type { MeAnswer } from "./types";
import { type Data, useData } from "./use_data";

/** What was loaded last. Signing in and out load the page anew, so it is never another person's. */
const known = new Store<MeAnswer | undefined>(undefined);

/** Loaded anew by each part of the page that asks, and known to all of them at once from the first time on. */
export function useMe(): Data<MeAnswer> {
  const own = useData("me", async (signal) => {
    const loaded = await get<MeAnswer>("/api/me", { signal });
    known.set(loaded);
    return loaded;
  });
  return { ...own, value: useStore(known), set: (change) => known.update(change) };
}
