// Counts beside the names of pages: what waits there for somebody.

import { useEffect } from "preact/hooks";
import type { PageName } from "./routes";
import { Store, useStore } from "./store";

export interface NavBadge {
  /** As it is seen: "3". */
  text: string;
  /** The page's name with the count in words, for those who do not see it: "Events 3 critical not acknowledged". */
  name: string;
}

type Badges = Partial<Record<PageName, NavBadge>>;

const badges = new Store<Badges>({});

export const useBadges = (): Badges => useStore(badges);

/** Shows a count at a page while the component is there; null shows none. */
export function useBadge(page: PageName, badge: NavBadge | null): void {
  const { text, name } = badge ?? { text: "", name: "" };
  useEffect(() => {
    badges.update((all) => ({ ...all, [page]: text === "" ? undefined : { text, name } }));
  }, [page, text, name]);
}
