// Commands for what was typed: videos, cameras and techniques by name, moments, and completions of the search.

import { useEffect, useState } from "preact/hooks";
import { get } from "../api/client";
import type { NamedHitAnswer, SearchAnswer, SuggestionsAnswer } from "../api/types";
import { addressOf } from "../core/addresses";
import { clock } from "../core/format";
import { navigate } from "../core/router";
import { useDebounced } from "../core/timing";
import type { IconName } from "../ui/icons";
import type { Command } from "./commands";
import { usePaletteWords } from "./palette_words";

const DEBOUNCE_MS = 140;
const MAX_MOMENTS = 5;
const NAMED_ICONS: Partial<Record<NamedHitAnswer["kind"], IconName>> = {
  video: "video",
  technique: "cut",
  camera: "camera",
};

type PaletteWords = ReturnType<typeof usePaletteWords>;

interface Found {
  text: string;
  search: SearchAnswer | null;
  suggestions: SuggestionsAnswer | null;
}

const NOTHING: Found = { text: "", search: null, suggestions: null };

/** `type` replaces the text, for operators that want more to be typed. */
export function useFoundCommands(text: string, type: (text: string) => void): Command[] {
  const words = usePaletteWords();
  const [found, setFound] = useState<Found>(NOTHING);
  const typed = useDebounced(text.trim(), DEBOUNCE_MS);
  useEffect(() => {
    if (typed === "") return setFound(NOTHING);
    const abort = new AbortController();
    const { signal } = abort;
    // Half-typed operators have nothing to search for yet; the suggestions are shown all the same.
    const orNothing = <T>(loading: Promise<T>): Promise<T | null> => loading.catch(() => null);
    Promise.all([
      orNothing(get<SearchAnswer>("/search", { query: { q: typed, page_size: MAX_MOMENTS }, signal })),
      orNothing(get<SuggestionsAnswer>("/search/suggest", { query: { q: typed }, signal })),
    ]).then(([search, suggestions]) => signal.aborted || setFound({ text: typed, search, suggestions }));
    return () => abort.abort();
  }, [typed]);
  const now = text.trim();
  if (now === "") return [];
  const searched: Command = {
    id: "search",
    text: words.searchFor(now),
    about: words.search,
    icon: "search",
    run: () => navigate(searchAddress(now)),
  };
  // Results for an earlier text stay until newer ones are there; the names may still fit.
  return [...commandsOf(found, words, type), searched];
}

const searchAddress = (q: string): string => `${addressOf("search")}?q=${encodeURIComponent(q)}`;

function commandsOf({ search, suggestions }: Found, words: PaletteWords, type: (text: string) => void): Command[] {
  const named = (search?.named ?? []).map(
    (hit): Command => ({
      id: `named ${hit.kind} ${hit.page_url}`,
      text: hit.name,
      about: hit.kind === "camera" || hit.kind === "technique" ? words[hit.kind] : words.video,
      icon: NAMED_ICONS[hit.kind] ?? "search",
      run: () => navigate(hit.page_url),
    }),
  );
  const moments = (search?.hits ?? []).map(
    (hit): Command => ({
      id: `moment ${hit.segment_id}`,
      text: hit.text,
      about: `${hit.video_name} · ${clock(hit.t_start)}`,
      icon: hit.kind === "speech" ? "sound" : "frame",
      run: () => navigate(hit.play_url),
    }),
  );
  const completions = (suggestions?.suggestions ?? [])
    .filter((item) => item.kind === "operator" || item.kind === "tag" || item.kind === "kind")
    .map((item): Command => {
      const isOperator = item.kind === "operator";
      return {
        id: `suggestion ${item.q}`,
        text: item.text,
        about: isOperator ? words.operator : words.search,
        icon: "search",
        run: () => (isOperator ? type(item.q) : navigate(searchAddress(item.q.trim()))),
        isUnfinished: isOperator,
      };
    });
  return [...named, ...completions, ...moments];
}
