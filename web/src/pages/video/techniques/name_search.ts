// Searching the list of known techniques: by the beginnings of words, without accents, in both languages and in other words for them.

import type { TechniqueNameAnswer } from "../../../api/types";

const fold = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

const wordsOf = (text: string): string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Names with words that begin like all words of the query; names that begin with it first, then those of the category. */
export function matchingNames(names: TechniqueNameAnswer[], query: string, category: string): TechniqueNameAnswer[] {
  const asked = wordsOf(query);
  const folded = fold(query.trim());
  const rank = (item: TechniqueNameAnswer): number => {
    const begins = [item.name, item.name_pt].some((name) => folded !== "" && fold(name).startsWith(folded));
    return (begins ? 0 : 2) + (item.category === category ? 0 : 1);
  };
  return names
    .filter((item) => {
      const own = wordsOf([item.name, item.name_pt, ...item.also].join(" "));
      return asked.every((word) => own.some((candidate) => candidate.startsWith(word)));
    })
    .map((item, index) => ({ item, index, rank: rank(item) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ item }) => item);
}
