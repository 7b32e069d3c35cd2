// Languages that are loaded on their own, because most readers need none of them.

import type { DictionaryLoaders } from "../core/language";

export const DICTIONARIES: DictionaryLoaders = {
  es: () => import("./es/words").then((module) => module.es),
  de: () => import("./de/words").then((module) => module.de),
};
