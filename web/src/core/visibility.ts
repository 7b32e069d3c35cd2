// Whether the tab is visible, and whether an element is on the screen: what nobody sees needs no stream.

import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

export function useTabVisible(): boolean {
  const [isVisible, setIsVisible] = useState(() => document.visibilityState === "visible");
  useEffect(() => {
    const update = () => setIsVisible(document.visibilityState === "visible");
    update();
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, []);
  return isVisible;
}

/** True while any part of the element is in the window, and the tab is visible. */
export function useOnScreen(element: RefObject<HTMLElement | null>): boolean {
  const [isInside, setIsInside] = useState(false);
  const isTabVisible = useTabVisible();
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver((entries) => setIsInside(entries.at(-1)?.isIntersecting ?? false));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isInside && isTabVisible;
}
