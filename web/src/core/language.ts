// Languages of the page. English and Portuguese texts are beside the code that uses them. Other languages have a folder each
// in `languages`, which is loaded when somebody reads the page in that language.

import { readStored, writeStored } from "./browser_storage";
import { locale } from "./locale";
import { Store, useStore } from "./store";

export const LANGUAGES = { en: "English", pt: "Português", es: "Español", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

export type Word = string | ((...values: never[]) => string | undefined);
type Same<T> = { [K in keyof T]: T[K] extends string ? string : T[K] };

/** All texts of a language, by the name of their set. */
export type Dictionary = Record<string, Record<string, Word>>;
/** The texts of one set in another language. A missing one is shown in English, and fails a test. */
export type Translation<Hook extends () => unknown> = Partial<ReturnType<Hook>>;
export type DictionaryLoaders = Partial<Record<Language, () => Promise<Dictionary>>>;

const chosen = new Store<Language>(preferred());
const dictionaries: Partial<Record<Language, Dictionary>> = {};
let loaders: DictionaryLoaders = {};

function preferred(): Language {
  const known = readStored("language") ?? navigator.language.slice(0, 2).toLowerCase();
  return known in LANGUAGES ? (known as Language) : "en";
}

/** Loads the texts of the reader's language; the page is shown after that. */
export async function startLanguage(all: DictionaryLoaders): Promise<void> {
  loaders = all;
  // Without a connection the page is readable in English all the same.
  await loadWords(chosen.value).catch(() => chosen.set("en"));
  show(chosen.value);
}

export async function chooseLanguage(language: Language): Promise<void> {
  await loadWords(language);
  writeStored("language", language);
  show(language);
  chosen.set(language);
}

async function loadWords(language: Language): Promise<void> {
  const load = loaders[language];
  if (load !== undefined) dictionaries[language] ??= await load();
}

function show(language: Language): void {
  document.documentElement.lang = language === "pt" ? "pt-BR" : language;
}

export const useLanguage = (): Language => useStore(chosen);

/** Every set of texts that was defined, by its name. */
export const definedWords = new Map<string, { en: Record<string, Word>; pt: Record<string, Word> }>();

/** A hook that returns the texts in the current language. The name of a set is unique; other languages refer to it. */
export function defineWords<const T extends Record<string, Word>>(
  name: string,
  words: { en: T; pt: Same<T> },
): () => Same<T> {
  definedWords.set(name, words as { en: T; pt: T });
  const merged: Partial<Record<Language, Same<T>>> = { en: words.en as Same<T>, pt: words.pt };
  return () => {
    const language = useLanguage();
    const translated = dictionaries[language]?.[name];
    if (merged[language] === undefined && translated !== undefined) {
      merged[language] = { ...words.en, ...translated } as Same<T>;
    }
    return merged[language] ?? (words.en as Same<T>);
  };
}

/** "1 frame", "2 frames": the formatted number with the matching noun. */
export function pluralize(count: number, one: string, many: string): string {
  return `${count.toLocaleString(locale())} ${count === 1 ? one : many}`;
}
