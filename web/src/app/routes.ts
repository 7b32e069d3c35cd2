// Which page stands at which address. Each is loaded when it is first shown.

import type { ComponentType } from "preact";
import type { IconName } from "../ui/icons";
import { ROOT } from "./router";

export interface PageProps {
  /** What follows the page's own address, such as an id; empty for the page itself. */
  rest: string;
}

export type PageName = "videos" | "search" | "events" | "jobs" | "messages" | "overview";

interface Route {
  name: PageName;
  icon: IconName;
  /** After g, the key that leads here. */
  key: string;
  load: () => Promise<{ default: ComponentType<PageProps> }>;
}

export const ROUTES: Route[] = [
  { name: "videos", icon: "video", key: "v", load: () => import("../pages/videos/page") },
  { name: "search", icon: "search", key: "s", load: () => import("../pages/search/page") },
  { name: "events", icon: "event", key: "e", load: () => import("../pages/events/page") },
  { name: "jobs", icon: "job", key: "j", load: () => import("../pages/jobs/page") },
  { name: "messages", icon: "message", key: "m", load: () => import("../pages/messages/page") },
  { name: "overview", icon: "overview", key: "o", load: () => import("../pages/overview/page") },
];

export const addressOf = (name: PageName): string => `${ROOT}/${name}`;

/** The route of a path, and what follows it. `/` and `/ui` are the videos. */
export function find(path: string): { route: Route; rest: string } | null {
  const [, root, name = "", ...rest] = path.split("/");
  const wanted = path === "/" || (root === "ui" && name === "") ? "videos" : root === "ui" ? name : null;
  const route = ROUTES.find((one) => one.name === wanted);
  return route === undefined ? null : { route, rest: rest.join("/") };
}
