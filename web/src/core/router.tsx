// Client-side routing: everything that can be linked to is in the address.

import type { AriaAttributes, ComponentChildren, TargetedMouseEvent, TargetedPointerEvent } from "preact";
import { useCallback } from "preact/hooks";
import { Store, useStore } from "./store";

export interface PageLocation {
  path: string;
  query: URLSearchParams;
}

const current = new Store<PageLocation>(read());

addEventListener("popstate", () => current.set(read()));

function read(): PageLocation {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

interface NavigateOptions {
  replace?: boolean;
  /** Keeps the scroll position. */
  keepScroll?: boolean;
}

export function navigate(address: string, { replace = false, keepScroll = replace }: NavigateOptions = {}): void {
  if (address === location.pathname + location.search) return;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  current.set(read());
  if (!keepScroll) scrollTo(0, 0);
}

export const useLocation = (): PageLocation => useStore(current);

/** A query parameter. Setting it to the fallback removes it. */
export function useQueryValue(name: string, fallback = ""): [string, (value: string) => void] {
  const { query } = useLocation();
  const set = useCallback((value: string) => setQuery({ [name]: value === fallback ? null : value }), [name, fallback]);
  return [query.get(name) ?? fallback, set];
}

/** Changes query parameters in place; null removes one. */
export function setQuery(values: Record<string, string | null>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(location.pathname + (text === "" ? "" : `?${text}`), { replace: true });
}

interface LinkProps extends AriaAttributes {
  to: string;
  class?: string;
  title?: string;
  target?: string;
  id?: string;
  tabIndex?: number;
  /** Keeps the scroll position: for details that open beside a list. */
  keepScroll?: boolean;
  onClick?: (event: TargetedMouseEvent<HTMLAnchorElement>) => void;
  onMouseEnter?: () => void;
  onMouseLeave?: () => void;
  onPointerMove?: (event: TargetedPointerEvent<HTMLAnchorElement>) => void;
  children?: ComponentChildren;
}

/** A link within the page. The browser handles clicks with a modifier key and links to new windows. */
export function Link({ to, onClick, keepScroll = false, ...rest }: LinkProps) {
  const handleClick = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain || rest.target) return;
    event.preventDefault();
    navigate(to, { keepScroll });
  };
  return <a href={to} onClick={handleClick} {...rest} />;
}
