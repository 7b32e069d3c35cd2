// How wide the window is and how high a part of it, for what CSS alone cannot arrange.

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

export function useIsAtLeast(px: number): boolean {
  const query = `(min-width: ${px}px)`;
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = () => setMatches(list.matches);
    look();
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, [query]);
  return matches;
}

export function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => setHeight(Math.round(entry?.borderBoxSize[0]?.blockSize ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return height;
}
