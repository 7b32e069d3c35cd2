// Languages of the page. Texts are defined beside the code that uses them, with the same keys in every language.

import { readStored, writeStored } from "./browser_storage";
import { Store, useStore } from "./store";

export const LANGUAGES = { en: "English", pt: "Português" } as const;
export type Language = keyof typeof LANGUAGES;

type Word = string | ((...values: never[]) => string);
type Same<T> = { [K in keyof T]: T[K] extends string ? string : T[K] };

const chosen = new Store<Language>(preferred());
show(chosen.value);

function preferred(): Language {
  const known = readStored("language") ?? navigator.language.slice(0, 2).toLowerCase();
  return known in LANGUAGES ? (known as Language) : "en";
}

export function chooseLanguage(language: Language): void {
  writeStored("language", language);
  show(language);
  chosen.set(language);
}

function show(language: Language): void {
  document.documentElement.lang = language === "pt" ? "pt-BR" : language;
}

export const useLanguage = (): Language => useStore(chosen);

/** A hook that returns the texts in the current language. */
export function defineWords<const T extends Record<string, Word>>(words: { en: T; pt: Same<T> }): () => Same<T> {
  return () => {
    const language = useLanguage();
    return (words as Record<Language, Same<T>>)[language];
  };
}

/** "1 frame", "2 frames": the formatted number with the matching noun. */
export function pluralize(count: number, one: string, many: string): string {
  return `${count.toLocaleString(document.documentElement.lang)} ${count === 1 ? one : many}`;
}
