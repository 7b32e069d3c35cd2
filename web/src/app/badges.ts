// Badges in the navigation: counts of what needs attention on a page.

import { useEffect } from "preact/hooks";
import type { PageName } from "../core/addresses";
import { Store, useStore } from "../core/store";

export interface NavBadge {
  /** The visible text: "3". */
  text: string;
  /** The name for screen readers: "Events 3 critical unacknowledged". */
  name: string;
}

type Badges = Partial<Record<PageName, NavBadge>>;

const badges = new Store<Badges>({});

export const useBadges = (): Badges => useStore(badges);

/** Shows a badge at a page while the component is mounted; null shows none. */
export function useBadge(page: PageName, badge: NavBadge | null): void {
  const { text, name } = badge ?? { text: "", name: "" };
  useEffect(() => {
    badges.update((all) => ({ ...all, [page]: text === "" ? undefined : { text, name } }));
  }, [page, text, name]);
}
