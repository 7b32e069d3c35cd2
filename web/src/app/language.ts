// The page's languages. Words stand beside what uses them: `defineWords({ en: {…}, pt: {…} })`, the same names in each.

import { recall, remember } from "./memory";
import { Store, useStore } from "./store";

export const LANGUAGES = { en: "English", pt: "Português" } as const;
export type Language = keyof typeof LANGUAGES;

type Word = string | ((...values: never[]) => string);
type Same<T> = { [K in keyof T]: T[K] extends string ? string : T[K] };

const chosen = new Store<Language>(preferred());
show(chosen.value);

function preferred(): Language {
  const known = recall("language") ?? navigator.language.slice(0, 2).toLowerCase();
  return known in LANGUAGES ? (known as Language) : "en";
}

export function chooseLanguage(language: Language): void {
  remember("language", language);
  show(language);
  chosen.set(language);
}

function show(language: Language): void {
  document.documentElement.lang = language === "pt" ? "pt-BR" : language;
}

export const useLanguage = (): Language => useStore(chosen);

/** A hook that gives the words in the language of the moment. */
export function defineWords<const T extends Record<string, Word>>(words: { en: T; pt: Same<T> }): () => Same<T> {
  return () => {
    const language = useLanguage();
    return (words as Record<Language, Same<T>>)[language];
  };
}

/** "1 frame", "2 frames": the number as the language writes it, with the word that goes with it. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString(document.documentElement.lang)} ${count === 1 ? one : many}`;
}
