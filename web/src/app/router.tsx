// Where the page is: everything that can be linked to stands in the address, everything below /ui.

import type { AriaAttributes, ComponentChildren, TargetedMouseEvent } from "preact";
import { useCallback } from "preact/hooks";
import { Store, useStore } from "./store";

export interface Place {
  path: string;
  query: URLSearchParams;
}

export const ROOT = "/ui";

const place = new Store<Place>(read());

addEventListener("popstate", () => place.set(read()));

function read(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

interface Going {
  replace?: boolean;
  /** What is shown stays where it is. */
  keepScroll?: boolean;
}

export function navigate(address: string, { replace = false, keepScroll = replace }: Going = {}): void {
  if (address === location.pathname + location.search) return;
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.set(read());
  if (!keepScroll) scrollTo(0, 0);
}

export const usePlace = (): Place => useStore(place);

/** A value in the address. Setting it to its default takes it out. */
export function useQueryValue(name: string, fallback = ""): [string, (value: string) => void] {
  const { query } = usePlace();
  const set = useCallback((value: string) => setQuery({ [name]: value === fallback ? null : value }), [name, fallback]);
  return [query.get(name) ?? fallback, set];
}

/** Changes values of the address in place; null takes one out. */
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
  /** What is shown stays where it is: for what opens beside a list. */
  keepScroll?: boolean;
  onClick?: (event: TargetedMouseEvent<HTMLAnchorElement>) => void;
  children: ComponentChildren;
}

/** A link within the page. With a key held down, or to a new window, it is the browser's. */
export function Link({ to, onClick, keepScroll = false, ...rest }: LinkProps) {
  const follow = (event: TargetedMouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain || rest.target) return;
    event.preventDefault();
    navigate(to, { keepScroll });
  };
  return <a href={to} onClick={follow} {...rest} />;
}
