// The theme: light, dark, or the system's.

import { readStored, writeStored } from "./browser_storage";
import { Store } from "./store";

export type Theme = "system" | "light" | "dark";

export const theme = new Store<Theme>((readStored("theme") as Theme | null) ?? "system");

show(theme.value);

export function chooseTheme(chosen: Theme): void {
  writeStored("theme", chosen === "system" ? null : chosen);
  show(chosen);
  theme.set(chosen);
}

function show(chosen: Theme): void {
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
