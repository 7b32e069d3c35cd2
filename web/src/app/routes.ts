// Which page is at which address. Each page is loaded when it is first shown.

import type { ComponentType } from "preact";
import type { PageName, PageProps } from "../core/addresses";
import type { IconName } from "../ui/icons";

type Load = () => Promise<{ default: ComponentType<PageProps> }>;

/** Where the navigation offers a page: in the bar, behind "Operate", or as the button of settings. */
type Place = "bar" | "operate" | "settings";

interface Route {
  name: PageName;
  icon: IconName;
  /** The key that opens the page, after g. */
  key: string;
  place: Place;
  load: Load;
  /** Another page for what follows the address, such as one video. */
  loadDetail?: Load;
}

export const ROUTES: Route[] = [
  { name: "home", icon: "home", key: "h", place: "bar", load: () => import("../pages/home/page") },
  {
    name: "videos",
    icon: "video",
    key: "v",
    place: "bar",
    load: () => import("../pages/videos/page"),
    loadDetail: () => import("../pages/video/page"),
  },
  { name: "search", icon: "search", key: "s", place: "bar", load: () => import("../pages/search/page") },
  { name: "events", icon: "event", key: "e", place: "bar", load: () => import("../pages/events/page") },
  { name: "cameras", icon: "camera", key: "c", place: "bar", load: () => import("../pages/cameras/page") },
  { name: "overview", icon: "overview", key: "o", place: "operate", load: () => import("../pages/overview/page") },
  { name: "jobs", icon: "job", key: "j", place: "operate", load: () => import("../pages/jobs/page") },
  { name: "messages", icon: "message", key: "m", place: "operate", load: () => import("../pages/messages/page") },
  { name: "settings", icon: "settings", key: ",", place: "settings", load: () => import("../pages/settings/page") },
];

export const routesIn = (place: Place): Route[] => ROUTES.filter((route) => route.place === place);

export interface Match {
  route: Route;
  /** The name of the page's folder; its styles are below `.page-<name>`. */
  page: string;
  rest: string;
  load: Load;
}

/** The page of a path, and what follows its address. `/` and `/ui` are the home page. */
export function findRoute(path: string): Match | null {
  const [, root, name = "", ...parts] = path.split("/");
  const isHome = path === "/" || (root === "ui" && name === "");
  const route = ROUTES.find((item) => item.name === (isHome ? "home" : root === "ui" ? name : null));
  if (route === undefined) return null;
  const rest = parts.join("/");
  const isDetail = rest !== "" && route.loadDetail !== undefined;
  return { route, page: isDetail ? "video" : route.name, rest, load: (isDetail && route.loadDetail) || route.load };
}
