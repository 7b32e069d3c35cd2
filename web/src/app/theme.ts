// Light, dark, or as the system says.

import { recall, remember } from "./memory";
import { Store } from "./store";

export type Theme = "system" | "light" | "dark";

export const theme = new Store<Theme>((recall("theme") as Theme | null) ?? "system");

show(theme.value);

export function chooseTheme(chosen: Theme): void {
  remember("theme", chosen === "system" ? null : chosen);
  show(chosen);
  theme.set(chosen);
}

function show(chosen: Theme): void {
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
