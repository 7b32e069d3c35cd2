import "./browser";
import "every-word";
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { type Dictionary, definedWords, LANGUAGES } from "../src/core/language";
import { de } from "../src/languages/de/words";
import { DICTIONARIES } from "../src/languages/dictionaries";
import { es } from "../src/languages/es/words";

const translated: Record<string, Dictionary> = { es, de };

/** What a language lacks or has too much of, one line each: "jobs.retry is missing". */
export function gaps(defined: typeof definedWords, dictionary: Dictionary): string[] {
  const found: string[] = [];
  for (const [name, { en }] of defined) {
    for (const [key, word] of Object.entries(en)) {
      const other = dictionary[name]?.[key];
      if (other === undefined || other === "") found.push(`${name}.${key} is missing`);
      else if (typeof other !== typeof word) found.push(`${name}.${key} is a ${typeof other}, not a ${typeof word}`);
    }
    for (const key of Object.keys(dictionary[name] ?? {})) {
      if (!(key in en)) found.push(`${name}.${key} is not a text of the page any more`);
    }
  }
  for (const name of Object.keys(dictionary)) {
    if (!defined.has(name)) found.push(`${name} is not a set of texts any more`);
  }
  return found;
}

test("a missing, a wrong and a superfluous text are found", () => {
  const defined = new Map([["home", { en: { title: "Home", all: () => "All" }, pt: {} }]]);
  deepEqual(gaps(defined, { home: { all: "Todo", gone: "x" }, old: {} }), [
    "home.title is missing",
    "home.all is a string, not a function",
    "home.gone is not a text of the page any more",
    "old is not a set of texts any more",
  ]);
});

test("every set of texts is found", () => {
  ok(definedWords.size > 30);
  ok([...definedWords.values()].every((words) => Object.keys(words.en).length > 0));
});

for (const [language, dictionary] of Object.entries(translated)) {
  test(`${language} has every text: add what is listed to web/src/languages/${language}`, () => {
    deepEqual(gaps(definedWords, dictionary), []);
  });
}

test("Portuguese has every text", () => {
  const pt = Object.fromEntries([...definedWords].map(([name, words]) => [name, words.pt]));
  deepEqual(gaps(definedWords, pt), []);
});

test("every language of the page is offered and can be loaded", async () => {
  deepEqual(Object.keys(LANGUAGES).sort(), ["de", "en", "es", "pt"]);
  equal(await DICTIONARIES.es?.(), es);
  equal(await DICTIONARIES.de?.(), de);
});
