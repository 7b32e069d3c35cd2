// Facets: how many results there are of each kind, tag, video, month and language, and a click narrows to them.

import { useState } from "preact/hooks";
import type { FacetAnswer, FacetsAnswer } from "../../api/types";
import { number } from "../../core/format";
import { useLanguage } from "../../core/language";
import { languageName } from "../../core/language_name";
import { locale } from "../../core/locale";
import { setQuery } from "../../core/router";
import { Button } from "../../ui/basics";
import { clearFilters, FACETS, type FacetName, isNarrowed, type SearchQuery } from "./search_query";
import { useSearchWords } from "./words";

const SHOWN = 6;

export function Facets({ facets, query }: { facets: FacetsAnswer | null; query: SearchQuery }) {
  const words = useSearchWords();
  const [isOpen, setIsOpen] = useState(() => matchMedia("(min-width: 900px)").matches);
  const shown = FACETS.filter((name) => query.facets[name] !== "" || (facets?.[name].length ?? 0) > 1);
  if (shown.length === 0 && !isNarrowed(query)) return null;
  return (
    <aside class="facets" aria-label={words.filters}>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{words.filters}</summary>
        {shown.map((name) => (
          <Facet key={name} name={name} values={facets?.[name] ?? []} chosen={query.facets[name]} />
        ))}
        {isNarrowed(query) && (
          <Button icon="cross" onClick={clearFilters}>
            {words.clear}
          </Button>
        )}
      </details>
    </aside>
  );
}

function Facet({ name, values, chosen }: { name: FacetName; values: FacetAnswer[]; chosen: string }) {
  const words = useSearchWords();
  const [isWhole, setIsWhole] = useState(false);
  const label = useLabels(name);
  const isThere = chosen === "" || values.some((item) => item.value === chosen);
  const all = isThere ? values : [{ value: chosen, label: chosen, count: 0 }, ...values];
  return (
    <fieldset>
      <legend>{words.facetNames(name)}</legend>
      {(isWhole ? all : all.slice(0, SHOWN)).map((item) => (
        <button
          key={item.value}
          type="button"
          aria-pressed={item.value === chosen}
          onClick={() => setQuery({ [name]: item.value === chosen ? null : item.value })}
        >
          <span class="value">{label(item)}</span>
          <span class="count">{number(item.count)}</span>
        </button>
      ))}
      {all.length > SHOWN && (
        <button type="button" class="all" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? words.fewer : words.allOf(all.length)}
        </button>
      )}
    </fieldset>
  );
}

function useLabels(name: FacetName): (item: FacetAnswer) => string {
  const words = useSearchWords();
  useLanguage();
  switch (name) {
    case "kind":
      return (item) => (item.value === "speech" ? words.said : words.shown);
    case "month":
      return (item) =>
        new Date(`${item.value}-01T00:00:00Z`).toLocaleDateString(locale(), {
          year: "numeric",
          month: "long",
          timeZone: "UTC",
        });
    case "language":
      return (item) => languageName(item.value);
    default:
      return (item) => item.label;
  }
}
