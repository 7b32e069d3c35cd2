// The width of an element, for grids whose rows are counted.

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** 0 until it is measured. */
export function useElementWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const found = element.current;
    if (found === null) return;
    const measure = () => setWidth(Math.floor(found.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(found);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
