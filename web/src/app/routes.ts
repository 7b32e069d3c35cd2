// Which page is at which address. Each page is loaded when it is first shown.

import type { ComponentType } from "preact";
import type { PageName, PageProps } from "../core/addresses";
import type { IconName } from "../ui/icons";

type Load = () => Promise<{ default: ComponentType<PageProps> }>;

interface Route {
  name: PageName;
  icon: IconName;
  /** The key that opens the page, after g. */
  key: string;
  load: Load;
  /** Another page for what follows the address, such as one video. */
  loadDetail?: Load;
}

export const ROUTES: Route[] = [
  {
    name: "videos",
    icon: "video",
    key: "v",
    load: () => import("../pages/videos/page"),
    loadDetail: () => import("../pages/video/page"),
  },
  { name: "search", icon: "search", key: "s", load: () => import("../pages/search/page") },
  { name: "events", icon: "event", key: "e", load: () => import("../pages/events/page") },
  { name: "cameras", icon: "camera", key: "c", load: () => import("../pages/cameras/page") },
  { name: "jobs", icon: "job", key: "j", load: () => import("../pages/jobs/page") },
  { name: "messages", icon: "message", key: "m", load: () => import("../pages/messages/page") },
  { name: "overview", icon: "overview", key: "o", load: () => import("../pages/overview/page") },
];

export interface Match {
  route: Route;
  /** The name of the page's folder; its styles are below `.page-<name>`. */
  page: string;
  rest: string;
  load: Load;
}

/** The page of a path, and what follows its address. `/` and `/ui` are the videos. */
export function findRoute(path: string): Match | null {
  const [, root, name = "", ...parts] = path.split("/");
  const isHome = path === "/" || (root === "ui" && name === "");
  const route = ROUTES.find((item) => item.name === (isHome ? "videos" : root === "ui" ? name : null));
  if (route === undefined) return null;
  const rest = parts.join("/");
  const isDetail = rest !== "" && route.loadDetail !== undefined;
  return { route, page: isDetail ? "video" : route.name, rest, load: (isDetail && route.loadDetail) || route.load };
}
